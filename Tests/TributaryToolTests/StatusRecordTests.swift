import Foundation
import Testing

@testable import TributaryTool

/// What `status` says of single records, and of missing keys.
@Suite struct StatusRecordTests {
  @Test func repairedRecordsAreNamedWithTheReason() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    for device in ["one", "two"] {
      #expect(
        await place.run(device, "sql", "INSERT INTO note VALUES('\(device)','t','same')").code == .success)
    }
    #expect(await place.sync("one", "two") == [.success, .success])
    let status = await place.run("two", "status")
    #expect(
      status.code == .success
        && status.output.contains(
          "\n  repaired: note “one”: code shown otherwise: code must be unique, and note “two” has the same\n"
        ),
      "\(status)")
    let json = await place.run("two", "status", "--json").output
    #expect(
      json.contains(#""repairedRecords":[{"table":"note","key":["one"],"columns":["code"],"#), "\(json)")
  }

  @Test func aReferenceThatIsGoneIsNamedAndManyAreCounted() async throws {
    let place = try await Place.parents()
    defer { place.remove() }
    #expect(await place.run("one", "sql", "DELETE FROM parent").code == .success)
    let add =
      "WITH n(i) AS (SELECT 10 UNION ALL SELECT i+1 FROM n WHERE i<34) INSERT INTO child SELECT i,'p' FROM n"
    #expect(await place.run("two", "sql", add).code == .success)
    #expect(await place.sync("one", "two") == [.success, .held])
    let status = await place.run("two", "status")
    #expect(status.code == .held && status.output.contains("Parked by a constraint: 25."), "\(status)")
    #expect(status.output.contains("\n  parked: child “10”: up refers to parent “p”, which is not there\n"))
    #expect(status.output.contains("\n  and 5 more\n"))
  }

  @Test func withoutKeysItShowsWhatItKnowsAndEndsWithThree() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    try place.copy("one", to: "copy")
    let status = await place.run("copy", "status")
    #expect(status.code == .notAttached && status.output.contains("as one."))
    #expect(status.errors.contains("this machine has no keys for"))
    #expect(await place.run("copy", "status", "--json").code == .notAttached)
    #expect(await place.run("one", "status").code == .success)
  }
}

extension Place {
  /// Two devices with a parent record, and children to come.
  fileprivate static func parents() async throws -> Place {
    let place = try Place()
    let text = """
      {"name": "org.example.tree", "tables": [
        {"name": "parent", "key": ["id"], "columns": [{"name": "id", "type": "text"}]},
        {"name": "child", "key": ["id"], "columns": [
          {"name": "id", "type": "text"}, {"name": "up", "type": "text"}],
          "references": [{"columns": ["up"], "table": "parent"}]}]}
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: place.schema))
    try await place.attach("one", isFirst: true)
    try await place.attach("two")
    #expect(await place.run("one", "sql", "INSERT INTO parent VALUES('p')").code == .success)
    #expect(await place.sync("one", "two") == [.success, .success])
    return place
  }
}
