import Foundation
import Testing

@testable import TributaryTool

/// `attach` on a database that was attached before.
@Suite struct ReattachTests {
  @Test func whereTheKeysAreThereNothingIsDone() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    let before = try place.files("")
    let again = await place.run("one", "attach", place.remote + "/", "--schema", place.schema)
    #expect(again.code == .success && again.output.contains("already. Nothing was done."))
    #expect(try place.files("") == before)
    #expect(await place.sync("one") == [.success])
  }

  @Test func anotherPlaceIsRefused() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    let other = place.path + "/other"
    let again = await place.run("one", "attach", other, "--schema", place.schema, "--new")
    #expect(again.code == .failure && again.errors.contains("stays with it"))
    #expect(!FileManager.default.fileExists(atPath: other))
  }

  @Test func aFolderThatWasEmptiedIsFilledAnewOnlyWhenAsked() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    #expect(await place.run("two", "sql", "INSERT INTO note VALUES('a','first',NULL)").code == .success)
    #expect(await place.sync("two", "one") == [.success, .success])
    try FileManager.default.removeItem(atPath: place.remote + "/sync")
    let sync = await place.run("one", "sync")
    #expect(sync.code != .success && sync.errors.contains("with --new if nothing is left"))
    let again = await place.run("one", "attach", place.remote, "--schema", place.schema)
    #expect(again.code == .failure && !FileManager.default.fileExists(atPath: place.remote + "/sync"))
    try await place.attach("one", isFirst: true)
    #expect(await place.sync("one") == [.success])
    try await place.attach("three")
    _ = await place.sync("three", "one")
    #expect(await place.sync("three") == [.success])
    #expect(await place.run("three", "sql", "SELECT text FROM note").output == "first\n")
  }

  @Test func aCopyOnAnotherMachineBecomesANewDevice() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    #expect(await place.run("one", "sql", "INSERT INTO note VALUES('a','first',NULL)").code == .success)
    #expect(await place.sync("one") == [.success])
    try place.copy("one", to: "copy")
    let sync = await place.run("copy", "sync")
    #expect(sync.code == .notAttached && sync.errors.contains("run `tributary attach` again"))
    try await place.attach("copy")
    #expect(await place.run("copy", "sql", "INSERT INTO note VALUES('b','second',NULL)").code == .success)
    #expect(await place.run("one", "sql", "INSERT INTO note VALUES('c','third',NULL)").code == .success)
    #expect(await place.sync("copy", "one", "copy") == [.success, .success, .success])
    let exported = await place.run("one", "export", "--canonical").output
    #expect(exported.split(separator: "\n").count == 3)
    #expect(await place.run("copy", "export", "--canonical").output == exported)
    #expect(await place.run("copy", "check").code == .success)
    #expect(await place.run("copy", "status").output.contains("as copy."))
  }

  @Test func lostKeysAreMadeAnew() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    #expect(await place.run("one", "sql", "INSERT INTO note VALUES('a','first',NULL)").code == .success)
    #expect(await place.sync("one", "two") == [.success, .success])
    try FileManager.default.removeItem(atPath: place.state("one"))
    #expect(await place.run("one", "check").code == .notAttached)
    let wrong = await place.run(
      "one", "attach", place.remote, "--schema", place.schema, password: "another one")
    #expect(wrong.code == .wrongPassword)
    try await place.attach("one")
    #expect(await place.sync("one", "two") == [.success, .success])
    #expect(await place.run("two", "sql", "SELECT text FROM note").output == "first\n")
  }

  @Test func anOlderStateThatWasRestoredBecomesANewDevice() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    #expect(await place.run("one", "sql", "INSERT INTO note VALUES('a','first',NULL)").code == .success)
    #expect(await place.sync("one") == [.success])
    try place.copy("one", to: "kept")
    #expect(await place.run("one", "sql", "INSERT INTO note VALUES('b','second',NULL)").code == .success)
    #expect(await place.sync("one", "two") == [.success, .success])
    try FileManager.default.removeItem(atPath: place.database("one"))
    try place.copy("kept", to: "one")
    try await place.attach("one")
    #expect(await place.run("one", "sql", "INSERT INTO note VALUES('c','third',NULL)").code == .success)
    #expect(await place.sync("one", "two", "one") == [.success, .success, .success])
    let exported = await place.run("one", "export", "--canonical").output
    #expect(exported.split(separator: "\n").count == 3)
    #expect(await place.run("two", "export", "--canonical").output == exported)
  }

  @Test func anotherSetOrSchemaIsRefused() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    #expect(await place.run("one", "sql", "INSERT INTO note VALUES('a','first',NULL)").code == .success)
    #expect(await place.sync("one") == [.success])
    try FileManager.default.removeItem(atPath: place.state("one"))
    let other = place.path + "/other.json"
    try place.write(other, named: "org.example.other")
    let schema = await place.run("one", "attach", place.remote, "--schema", other)
    #expect(schema.code == .failure && schema.errors.contains("the schema file is “org.example.other”"))
    let elsewhere = place.path + "/elsewhere"
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: false)
    #expect(
      await place.run("stranger", "attach", elsewhere, "--schema", place.schema, "--new").code == .success)
    let set = await place.run("one", "attach", elsewhere, "--schema", place.schema)
    #expect(set.code == .failure && set.errors.contains("holds none of the devices"))
  }
}
