import Foundation
import SQLite
import Testing

@testable import TributaryTool

/// `check --repair`.
@Suite struct CheckRepairTests {
  @Test func aRowThatNobodyKnowsIsTakenInAndReachesTheOthers() async throws {
    let place = try await Place.conflicting()
    defer { place.remove() }
    try place.bypass("one", "INSERT INTO note VALUES('x','new\u{1B}','n')")
    let repair = await place.run("one", "check", "--repair")
    #expect(repair.code == .success && Place.isClean(repair.output), "\(repair)")
    #expect(
      repair.output.contains("mended: note “x”: Its table shows it, and the state knows nothing of it."))
    #expect(repair.output.contains("mended: note: The triggers that keep other programs from writing"))
    #expect(repair.output.hasSuffix("2 mended. No damage.\n"))
    try await place.synced("one", "two")
    #expect(await place.run("two", "sql", "SELECT code FROM note WHERE id='x'").output == "n\n")
    #expect(await place.run("one", "check").code == .success)
    #expect(await place.run("one", "check", "--repair").output.hasSuffix(" 0 mended. No damage.\n"))
  }

  @Test func whatOnlyAPersonCanDecideIsLeftWithItsRemedy() async throws {
    let place = try await Place.conflicting()
    defer { place.remove() }
    try place.bypass("one", "DELETE FROM note WHERE id='b'; UPDATE note SET text='changed' WHERE id='a'")
    let repair = await place.run("one", "check", "--repair")
    #expect(repair.code == .damage, "\(repair)")
    #expect(repair.output.contains("note “b”: The state has it, and its table does not."))
    #expect(repair.output.contains("note “a”: Its text was changed in place"))
    #expect(repair.output.contains("Cannot be mended here. Another program deleted it"))
    #expect(repair.output.hasSuffix("1 mended. 2 problems left.\n"))
    #expect(await place.run("one", "sql", "SELECT text FROM note").output == "changed\n")
  }

  @Test func aRowThatBreaksARuleIsLeftAndTheReasonTold() async throws {
    let place = try Place()
    defer { place.remove() }
    try place.schema(
      """
      {"name": "n", "key": ["id"], "columns": [{"name": "id", "type": "text"},
        {"name": "size", "type": "integer", "range": [0, 9]}]}
      """)
    try await place.attach("one", isFirst: true)
    try place.bypass("one", "INSERT INTO n VALUES('good',1),('bad',10)")
    let lines = try await place.json("one", "check", "--repair", "--local")
    let mended = lines.filter { $0["isMended"] as? Bool == true }.map { $0["key"] as? [String] ?? [] }
    #expect(mended.contains(["good"]) && !mended.contains(["bad"]))
    #expect(lines.contains { $0["isMended"] as? Bool == false && $0["key"] as? [String] == ["bad"] })
    #expect(lines.last?["mended"] as? Int == 2 && lines.last?["damage"] as? Int == 1)
    let text = await place.run("one", "check", "--repair", "--local").output
    #expect(text.contains("Cannot be mended here (size must be from 0.0 to 9.0)."), "\(text)")
  }

  @Test func anIndexThatDoesNotFitIsBuiltAnew() async throws {
    let place = try await Place.conflicting()
    defer { place.remove() }
    try place.damageIndex("one")
    #expect(await place.run("one", "check", "--local").output.contains("SQLite reports damage: "))
    let repair = await place.run("one", "check", "--local", "--repair")
    #expect(repair.code == .success && repair.output.contains("mended: SQLite reports damage: "), "\(repair)")
    #expect(await place.run("one", "check", "--local").code == .success)
  }

  @Test func aDatabaseThatDoesNotOpenIsToldAllTheSame() async throws {
    let place = try await Place.conflicting()
    defer { place.remove() }
    try place.bypass("one", "DROP TABLE note")
    let repair = await place.run("one", "check", "--local", "--repair")
    #expect(repair.code == .damage && repair.output.contains("note: The table is missing"), "\(repair)")
    #expect(repair.output.contains("Nothing could be mended: "))
  }

  @Test func aMendThatMendsNothingOnTheRemoteIsRefused() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    #expect(await place.run("one", "check", "--repair", "--remote").code == .usage)
    #expect(await place.run("none", "check", "--repair").code == .notAttached)
  }
}

extension Place {
  /// Makes an index of the synced table, and takes what it says of one row away.
  fileprivate func damageIndex(_ device: String) throws {
    let connection = try Connection.open(database(device))
    defer { connection.close() }
    try connection.execute("CREATE INDEX mine ON note(text)")
    try connection.execute(
      """
      PRAGMA writable_schema=ON;
      UPDATE sqlite_master SET sql='CREATE INDEX mine ON note(id)' WHERE name='mine';
      PRAGMA writable_schema=RESET
      """)
  }
}
