import Foundation
import Testing
import TributaryModel

@testable import TributaryTool

/// `restore`, on two devices.
@Suite struct RestoreCommandTests {
  @Test func theLosingValueComesBackOnEveryDevice() async throws {
    let place = try await Place.conflicting()
    defer { place.remove() }
    let restore = await place.run("one", "restore", "--conflict", "1")
    #expect(restore.code == .success && Place.isClean(restore.output), "\(restore)")
    #expect(restore.output.hasPrefix("note “a”: text is “from one” again, and was “"))
    try await place.synced("one", "two")
    for device in ["one", "two"] {
      #expect(await place.run(device, "sql", "SELECT text FROM note WHERE id='a'").output == "from one\n")
    }
    // It is an edit of what was read, so no new conflict.
    #expect(try await place.json("two", "conflicts").count == 1)
    #expect(await place.run("one", "restore", "--conflict", "1").output.contains("nothing was done"))
  }

  @Test func aConflictOfARecordThatIsGoneSaysWhatToDo() async throws {
    let place = try await Place.conflicting()
    defer { place.remove() }
    try await place.sql("one", "DELETE FROM note WHERE id='a'")
    let gone = await place.run("one", "restore", "--conflict", "1")
    #expect(gone.code == .failure && gone.errors.contains("note “a” is deleted\n"))
    #expect(gone.errors.contains("Bring it back first: tributary restore \(place.database("one")) note a\n"))
    #expect(await place.run("one", "restore", "note", "a").code == .success)
    #expect(await place.run("one", "restore", "--conflict", "1").code == .success)
    #expect(await place.run("one", "sql", "SELECT text FROM note WHERE id='a'").output == "from one\n")
  }

  @Test func aDeletedRecordComesBackWholeAndOnce() async throws {
    let place = try await Place.conflicting()
    defer { place.remove() }
    try await place.sql("two", "DELETE FROM note WHERE id='b'")
    try await place.synced("two", "one")
    let restore = await place.run("one", "restore", "note", "b")
    #expect(
      restore.code == .success && restore.output.hasPrefix("note “b” is back, with 2 values."), "\(restore)")
    try await place.synced("one", "two")
    for device in ["one", "two"] {
      #expect(await place.run(device, "sql", "SELECT * FROM note WHERE id='b'").output == "b\tother\tc\n")
    }
    let again = await place.run("one", "restore", "note", "b")
    #expect(again.code == .failure && again.errors.contains("note “b” exists; there is nothing to restore"))
    #expect(await place.run("one", "restore", "note", "zzz").errors.contains("nothing is kept of note “zzz”"))
  }

  @Test func whatItCannotDoIsAUsageErrorOrSaysWhy() async throws {
    let place = try await Place.conflicting()
    defer { place.remove() }
    #expect(await place.run("none", "restore", "note", "b").code == .notAttached)
    for words in [
      [], ["--conflict", "x"], ["--conflict", "0"], ["--conflict", "1", "note", "a"], ["note"],
    ] {
      #expect(await place.run("one", "restore", words: words).code == .usage, "\(words)")
    }
    #expect(await place.run("one", "restore", "--conflict", "77").errors.contains("there is no conflict 77"))
    // Another record took the unique value meanwhile.
    try await place.sql("one", "DELETE FROM note WHERE id='b'; INSERT INTO note VALUES('z','t','c')")
    let taken = await place.run("one", "restore", "note", "b")
    #expect(taken.code == .failure && taken.errors.contains("Another record has a value by now"), "\(taken)")
    #expect(await place.run("one", "sql", "SELECT count(*) FROM note").output == "2\n")
  }

  @Test func aGroupComesBackAsAWhole() async throws {
    let place = try Place()
    defer { place.remove() }
    try place.schema(
      """
      {"name": "task", "key": ["id"], "columns": [{"name": "id", "type": "text"},
        {"name": "due", "type": "text"}, {"name": "zone", "type": "text"}, {"name": "x", "type": "text"}],
        "groups": [["due", "zone"]]}
      """)
    try await place.attach("one", isFirst: true)
    try await place.attach("two")
    try await place.sql("one", "INSERT INTO task VALUES('t','1','A','-')")
    try await place.synced("one", "two")
    try await place.sql("one", "UPDATE task SET due='2',zone='B',x='one'")
    try await place.sql("two", "UPDATE task SET due='3',zone='C',x='two'")
    try await place.synced("one", "two")
    let lines = try await place.json("two", "conflicts")
    #expect(Set(lines.compactMap { $0["column"] as? String }) == ["due", "zone", "x"])
    let number = try #require(lines.first { $0["column"] as? String == "zone" }?["number"] as? Int)
    let restore = await place.run("two", "restore", "--conflict", "\(number)")
    #expect(restore.code == .success, "\(restore)")
    #expect(await place.run("two", "sql", "SELECT * FROM task").output == "t\t2\tB\ttwo\n")
  }

  @Test func aChildIsRestoredAfterItsParent() async throws {
    let place = try Place()
    defer { place.remove() }
    try place.schema(
      """
      {"name": "parent", "key": ["id"], "columns": [{"name": "id", "type": "text"}]},
      {"name": "child", "key": ["id"], "columns": [{"name": "id", "type": "text"}, {"name": "up", "type": "text"}],
        "references": [{"columns": ["up"], "table": "parent", "onDelete": "cascade"}]}
      """)
    try await place.attach("one", isFirst: true)
    try await place.sql("one", "INSERT INTO parent VALUES('p'); INSERT INTO child VALUES('c','p')")
    try await place.synced("one")
    try await place.sql("one", "DELETE FROM parent")
    for _ in 0..<2 {
      let early = await place.run("one", "restore", "child", "c")
      #expect(early.code == .failure && early.errors.contains("Restore that one first."), "\(early)")
      try await place.synced("one")
    }
    // A record of nothing but its key is kept too.
    #expect(try await place.json("one", "trash").count == 2)
    #expect(await place.run("one", "restore", "parent", "p").code == .success)
    #expect(await place.run("one", "restore", "child", "c").code == .success)
    #expect(await place.run("one", "check", "--local").code == .success)
  }

  @Test func everyKindOfKeyCanBeGiven() async throws {
    let place = try Place()
    defer { place.remove() }
    try place.schema(
      """
      {"name": "mixed", "key": ["t", "n", "b", "a"], "columns": [
        {"name": "t", "type": "text"}, {"name": "n", "type": "integer"}, {"name": "b", "type": "blob"},
        {"name": "a", "type": "any", "null": false}, {"name": "v", "type": "any", "null": true}]}
      """)
    try await place.attach("one", isFirst: true)
    let rows = [
      "'-it''s 7',-7,x'00ff','7'", "'',9007199254740993,x'',7", "'a b',0,x'0a',x'00'",
      "'$(x)',1,x'01','it''s'",
    ]
    for row in rows { try await place.sql("one", "INSERT INTO mixed VALUES(\(row),x'07')") }
    try await place.synced("one")
    try await place.sql("one", "DELETE FROM mixed")
    try await place.synced("one")
    let commands = await place.run("one", "trash").output.split(separator: "\n").filter {
      $0.hasPrefix("  tributary restore ")
    }
    #expect(commands.count == rows.count)
    for command in commands {
      let words = command.dropFirst("  tributary restore ".count).drop { $0 != " " }
      let run = try place.shell("\"$0\" restore \"$1\"\(words)", "one")
      #expect(run.code == 0, "\(command): \(run)")
    }
    #expect(
      await place.run("one", "sql", "SELECT count(*) FROM mixed WHERE v=x'07'").output == "\(rows.count)\n")
    #expect(await place.run("one", "restore", "mixed", "a").code == .usage)
    #expect(await place.run("one", "restore", "mixed", "a", "x", "00", "1").errors.contains("takes integer"))
    #expect(await place.run("one", "restore", "mixed", "a", "1", "0g", "1").errors.contains("hexadecimal"))
  }

  @Test func valuesOfALaterSchemaAreNotLostByARestore() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    let text = try String(contentsOfFile: place.schema, encoding: .utf8)
    let later = text.replacing(
      "{\"name\": \"text\",",
      with: "{\"name\": \"more\", \"type\": \"text\", \"null\": true}, {\"name\": \"text\",")
    try Data(later.utf8).write(to: URL(fileURLWithPath: place.schema))
    #expect(await place.run("two", "attach", place.remote, "--schema", place.schema).code == .success)
    try await place.sql("two", "INSERT INTO note(id,text,more) VALUES('a','t','kept')")
    try await place.synced("two", "one")
    try await place.sql("one", "DELETE FROM note")
    try await place.synced("one", "two")
    let early = await place.run("one", "restore", "note", "a")
    #expect(
      early.code == .failure && early.errors.contains("columns that this schema does not have: more"),
      "\(early)")
    #expect(try await place.json("one", "trash").first?["laterColumns"] as? [String] == ["more"])
    #expect(await place.run("two", "restore", "note", "a").code == .success)
    #expect(await place.run("two", "sql", "SELECT more FROM note").output == "kept\n")
  }

  @Test func anErasingTableKeepsNothing() async throws {
    let place = try Place()
    defer { place.remove() }
    try place.schema(
      """
      {"name": "secret", "key": ["id"], "onDelete": "erases",
        "columns": [{"name": "id", "type": "text"}, {"name": "v", "type": "text"}]}
      """)
    try await place.attach("one", isFirst: true)
    try await place.sql("one", "INSERT INTO secret VALUES('s','v'); DELETE FROM secret")
    try await place.sql("one", "INSERT INTO secret VALUES('r','v')")
    try await place.sql("one", "DELETE FROM secret")
    for _ in 0..<2 {
      #expect(try await place.json("one", "trash").isEmpty)
      #expect(await place.run("one", "restore", "secret", "r").errors.contains("is erased at once"))
      try await place.synced("one")
    }
  }
}
