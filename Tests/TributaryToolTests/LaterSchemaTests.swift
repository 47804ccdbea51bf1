import Foundation
import Testing

@testable import TributaryTool

/// `attach` with another schema or name, where the database is attached already.
@Suite struct LaterSchemaTests {
  private static let later = """
    {"name": "org.example.notes", "version": 2, "tables": [
      {"name": "note", "key": ["id"], "columns": [
        {"name": "id", "type": "text"}, {"name": "text", "type": "text"},
        {"name": "code", "type": "text", "null": true, "unique": true},
        {"name": "place", "type": "text", "null": true}]},
      {"name": "tag", "key": ["id"], "columns": [
        {"name": "id", "type": "text"}, {"name": "name", "type": "text", "null": true}]}]}
    """

  @Test func aLaterSchemaIsTakenAndOthersEditsComeIn() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    let schema = try Self.write(Self.later, place)
    let taken = await place.run("one", "attach", place.remote, "--schema", schema)
    #expect(taken.code == .success && taken.output.contains("The schema was brought up to date."), "\(taken)")
    let again = await place.run("one", "attach", place.remote, "--schema", schema)
    #expect(again.output.contains("Nothing was done."))
    let edit = "INSERT INTO note VALUES('a','first',NULL,'here'); INSERT INTO tag VALUES('t','x')"
    #expect(await place.run("one", "sql", edit).code == .success)
    #expect(await place.sync("one", "two") == [.success, .held])
    #expect(await place.run("two", "attach", place.remote, "--schema", schema).code == .success)
    #expect(await place.sync("two") == [.success])
    #expect(
      await place.run("two", "sql", "SELECT place FROM note UNION ALL SELECT name FROM tag").output
        == "here\nx\n")
    #expect(await place.run("two", "check").code == .success)
  }

  @Test func theOldSchemaIsRefusedThen() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    let schema = try Self.write(Self.later, place)
    #expect(await place.run("one", "attach", place.remote, "--schema", schema).code == .success)
    let back = await place.run("one", "attach", place.remote, "--schema", place.schema)
    #expect(back.code == .failure && back.errors.contains("has version 2 of its schema"), "\(back)")
    #expect(await place.sync("one") == [.success])
  }

  @Test func aSchemaThatCannotBeTakenChangesNothing() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    #expect(await place.run("one", "sql", "INSERT INTO note VALUES('a','first',NULL)").code == .success)
    let needed = Self.later.replacingOccurrences(
      of: #""text", "type": "text""#, with: #""text", "type": "integer""#)
    let refused = await place.run("one", "attach", place.remote, "--schema", try Self.write(needed, place))
    #expect(refused.code == .failure && refused.errors.contains("“text” is TEXT there"), "\(refused)")
    let other = place.path + "/other.json"
    try place.write(other, named: "org.example.other")
    let named = await place.run("one", "attach", place.remote, "--schema", other)
    #expect(named.code == .failure && named.errors.contains("the schema file is “org.example.other”"))
    #expect(await place.sync("one") == [.success])
    #expect(await place.run("one", "sql", "SELECT * FROM note").output == "a\tfirst\t\n")
  }

  @Test func itIsTakenWhileTheFolderIsAway() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    try place.move(place.remote, to: place.path + "/away")
    let schema = try Self.write(Self.later, place)
    let taken = await place.run("one", "attach", place.remote, "--schema", schema)
    #expect(taken.code == .success && taken.output.contains("brought up to date"), "\(taken)")
  }

  @Test func aNewNameIsToldToTheOthers() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    #expect(await place.sync("one", "two") == [.success, .success])
    let named = await place.run(
      "one", "attach", place.remote, "--schema", place.schema, "--device", "desk")
    #expect(named.code == .success && named.output.contains("as desk already."), "\(named)")
    #expect(named.output.contains("was called one before"))
    #expect(await place.sync("one", "two") == [.success, .success])
    #expect(await place.run("two", "status").output.contains("\n  desk, "))
  }

  private static func write(_ schema: String, _ place: Place) throws -> String {
    let path = place.path + "/later.json"
    try Data(schema.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }
}
