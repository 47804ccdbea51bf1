import Foundation
import SQLite
import Testing

@testable import TributaryTool

/// `conflicts`, `trash`, `held` and `blame`.
@Suite struct JournalCommandTests {
  @Test func aConflictShowsBothValuesAndWhoWroteThem() async throws {
    let place = try await Place.conflicting()
    defer { place.remove() }
    for device in ["one", "two"] {
      let lines = try await place.json(device, "conflicts")
      try #require(lines.count > 0)
      #expect(lines.count == 1)
      let (won, lost) = (lines[0]["won"] as? [String: Any], lines[0]["lost"] as? [String: Any])
      #expect(lines[0]["table"] as? String == "note" && lines[0]["column"] as? String == "text")
      #expect(lines[0]["key"] as? [String] == ["a"] && lines[0]["number"] as? Int == 1)
      #expect(won?["value"] as? String == Place.hostile && lost?["value"] as? String == "from one")
      #expect(lost?["deviceName"] as? String == "one" && (lost?["milliseconds"] as? Int ?? 0) > 0)
    }
    let text = await place.run("one", "conflicts").output
    #expect(text.hasPrefix("1  note “a”, text\n      won:  “"))
    #expect(text.contains("      lost: “from one”, by this device, "))
    #expect(text.hasSuffix(" --conflict NUMBER` brings a lost value back.\n"))
  }

  @Test func theTrashHasTheLastValuesBeforeAndAfterTheSync() async throws {
    let place = try await Place.conflicting()
    defer { place.remove() }
    try await place.sql("two", "DELETE FROM note WHERE id='b'")
    let unsynced = try await place.json("two", "trash")
    try #require(unsynced.count > 0)
    #expect(unsynced.count == 1 && unsynced[0]["isSynced"] as? Bool == false)
    #expect(await place.run("two", "trash").output.hasPrefix("note “b”: deleted here, not synced yet, "))
    try await place.synced("two", "one")
    let lines = try await place.json("one", "trash")
    try #require(lines.count > 0)
    #expect(
      lines.count == 1 && lines[0]["key"] as? [String] == ["b"] && lines[0]["isSynced"] as? Bool == true)
    let values = lines[0]["values"] as? [String: String]
    #expect(values == ["text": "other", "code": "c"])
    #expect(lines[0]["deviceName"] as? String == "two\(Place.hostile)")
    #expect(try await place.json("one", "trash", "--table", "note").count == 1)
    #expect(await place.run("one", "trash", "--table", "notes").errors.contains("Did you mean note?"))
    #expect(
      await place.run("one", "trash").output.hasSuffix(
        "  text “other”, code “c”\n  tributary restore \(place.database("one")) note b\n"))
  }

  @Test func theTrashShowsTheNewestFirstAndSaysThatThereAreMore() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    try await place.sql("one", "INSERT INTO note VALUES('a','t',NULL),('b','t',NULL),('c','t',NULL)")
    try await place.synced("one")
    for id in ["b", "a"] { try await place.sql("one", "DELETE FROM note WHERE id='\(id)'") }
    try await place.synced("one")
    try await place.sql("one", "DELETE FROM note WHERE id='c'")
    let keys = try await place.json("one", "trash").map { $0["key"] as? [String] }
    #expect(keys == [["c"], ["a"], ["b"]])
    #expect(
      try await place.json("one", "trash", "--limit", "2").map { $0["key"] as? [String] } == [["c"], ["a"]])
    #expect(
      await place.run("one", "trash", "--limit", "2").output.hasSuffix(
        "There are more; --limit shows them.\n"))
    // One that was inserted again is no trash, synced or not.
    try await place.sql("one", "INSERT INTO note VALUES('a','back',NULL)")
    #expect(try await place.json("one", "trash").map { $0["key"] as? [String] } == [["c"], ["b"]])
  }

  @Test func blameTellsSyncedUnsentAndUnsettledEditsApart() async throws {
    let place = try await Place.conflicting()
    defer { place.remove() }
    try await place.sql("one", "UPDATE note SET code='mine' WHERE id='a'")
    let lines = try await place.json("one", "blame", "note", "a")
    try #require(lines.count > 2)
    #expect(lines.map { $0["kind"] as? String } == ["record", "field", "field"])
    func written(_ index: Int) -> [String: Any]? { lines[index]["written"] as? [String: Any] }
    #expect(lines[1]["column"] as? String == "text" && lines[1]["value"] as? String == Place.hostile)
    #expect(
      written(1)?["deviceName"] as? String == "two\(Place.hostile)"
        && written(1)?["state"] as? String == "sent")
    #expect(written(2)?["deviceName"] as? String == "one" && written(2)?["state"] as? String == "unsettled")
    #expect((lines[0]["inserted"] as? [String: Any])?["state"] as? String == "sent")
    let text = await place.run("one", "blame", "note", "a", "code").output
    #expect(
      text.contains("  code = “mine”: edited here, not synced yet, ") && !text.contains("text"), "\(text)")
    // Settled and sealed, but not on the remote.
    #expect(await place.syncStoppedBeforeUpload("one") == .interrupted)
    #expect(await place.run("one", "blame", "note", "a", "code").output.contains(" (not sent yet)\n"))
    try await place.synced("one")
    #expect(await place.run("one", "blame", "note", "a", "code").output.contains("not sent yet") == false)
  }

  @Test func blameOfADeletedRecordAndOfNone() async throws {
    let place = try await Place.conflicting()
    defer { place.remove() }
    try await place.sql("two", "DELETE FROM note WHERE id='b'")
    #expect(
      await place.run("two", "blame", "note", "b").output.hasPrefix("note “b”: deleted here, not synced"))
    try await place.synced("two", "one")
    let text = await place.run("one", "blame", "note", "b").output
    #expect(
      text.hasPrefix("note “b”: deleted by two") && text.contains("\n  text = “other”: by this device, "))
    let none = await place.run("one", "blame", "note", "zzz")
    #expect(none.code == .failure && none.errors.contains("nothing is known of note “zzz”"))
    #expect(await place.run("one", "blame", "nte", "a").errors.contains("Did you mean note?"))
    #expect(await place.run("one", "blame", "note", "a", "txt").errors.contains("Did you mean text?"))
    #expect(await place.run("one", "blame", "note", "a", "text", "more").code == .usage)
    #expect(await place.run("one", "blame", "note").code == .usage)
  }

  @Test func whatALaterSchemaWroteIsHeldAndNamed() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    try place.later()
    #expect(await place.run("two", "attach", place.remote, "--schema", place.schema).code == .success)
    try await place.sql("two", "INSERT INTO extra VALUES('e','v')")
    try await place.synced("two", "one")
    let held = await place.run("one", "held")
    #expect(
      held.code == .held && held.output.hasPrefix("held: extra “e” from two, log 1, written "), "\(held)")
    #expect(held.output.hasSuffix(": the schema here has no table extra\n"))
    let lines = try await place.json("one", "held")
    try #require(lines.count > 0)
    #expect(
      lines.count == 1 && lines[0]["kind"] as? String == "held" && lines[0]["key"] as? [String] == ["e"])
    #expect(lines[0]["log"] as? Int == 1 && (lines[0]["writtenMilliseconds"] as? Int ?? 0) > 0)
    #expect(
      await place.run("one", "status").output.hasPrefix(
        "Everything is sent. 1 record from two waits for a later schema of the app. The last sync"))
  }
}

extension Place {
  fileprivate func later() throws {
    let text = """
      {"name": "org.example.notes", "tables": [{"name": "note", "key": ["id"], "columns": [
        {"name": "id", "type": "text"}, {"name": "text", "type": "text"},
        {"name": "code", "type": "text", "null": true, "unique": true}]},
        {"name": "extra", "key": ["id"], "columns": [
          {"name": "id", "type": "text"}, {"name": "v", "type": "text"}]}]}
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: schema))
  }

  /// A sync that is stopped once it has sealed a file and not sent it.
  fileprivate func syncStoppedBeforeUpload(_ device: String) async -> ExitCode {
    var context = ToolContext.scripted(output: CollectingSink(), errors: CollectingSink())
    context.environment = ["TRIBUTARY_STATE_HOME": state(device)]
    context.isInterrupted = { [path = database(device)] in
      guard let connection = try? Connection.open(path, .readOnly) else { return false }
      defer { connection.close() }
      return (try? connection.integer("SELECT count(*) FROM tributary_outbox WHERE sent=0")) ?? 0 > 0
    }
    return await Tool.standard.run(["sync", database(device)], in: context)
  }
}
