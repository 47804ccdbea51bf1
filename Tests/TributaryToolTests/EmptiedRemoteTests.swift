import Foundation
import Testing

@testable import TributaryTool

/// `attach` at the same place, where this device's files are gone.
@Suite struct EmptiedRemoteTests {
  @Test func anEmptiedFolderIsFilledAgainByEachDevice() async throws {
    let place = try await Self.edited()
    defer { place.remove() }
    #expect(await place.run("one", "sql", "INSERT INTO note VALUES('c','unsent',NULL)").code == .success)
    try place.emptyRemote()
    let sync = await place.run("one", "sync")
    #expect(sync.code == .notAttached && sync.errors.contains("--new where the folder holds no devices"))
    let plain = await place.run("one", "attach", place.remote, "--schema", place.schema)
    #expect(plain.code == .failure && plain.errors.contains("holds no devices yet"))
    #expect(plain.errors.contains("--new starts a set there"))
    let again = await place.run("one", "attach", place.remote, "--schema", place.schema, "--new")
    #expect(again.code == .success && again.output.contains("as one.\nIts former files are gone"), "\(again)")
    let other = await place.run("two", "attach", place.remote, "--schema", place.schema)
    #expect(other.code == .success && other.output.contains("as two.\nIts former files are gone"), "\(other)")
    #expect(await place.sync("one", "two", "one") == [.success, .success, .success])
    // A newcomer gets everything from the folder alone.
    try await place.attach("three")
    #expect(await place.sync("three") == [.success])
    let exported = await place.run("three", "export", "--canonical").output
    #expect(exported.split(separator: "\n").count == 3)
    for device in ["one", "two"] {
      #expect(await place.run(device, "export", "--canonical").output == exported)
      #expect(await place.run(device, "check", "--local").code == .success)
    }
  }

  @Test func onlyOneDevicesFilesAreGone() async throws {
    let place = try await Self.edited()
    defer { place.remove() }
    let json = await place.run("one", "status", "--json").output
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    try place.delete("sync/" + (try #require(object?["deviceID"] as? String)))
    #expect(await place.run("one", "sync").code == .notAttached)
    let new = await place.run("one", "attach", place.remote, "--schema", place.schema, "--new")
    #expect(new.code == .failure && new.errors.contains("Leave out --new"))
    let again = await place.run("one", "attach", place.remote, "--schema", place.schema)
    #expect(again.code == .success && again.output.contains("goes on as a new device"), "\(again)")
    #expect(await place.sync("one", "two", "one") == [.success, .success, .success])
    try await place.attach("three")
    #expect(await place.sync("three") == [.success])
    #expect(await place.run("three", "sql", "SELECT text FROM note ORDER BY id").output == "first\nsecond\n")
  }

  @Test func aWrongPasswordDoesNotReplaceTheDevice() async throws {
    let place = try await Self.edited()
    defer { place.remove() }
    try place.move(place.remote, to: place.path + "/kept")
    try place.makeRemote()
    try await place.attach("stranger", isFirst: true)
    let wrong = await place.run(
      "one", "attach", place.remote, "--schema", place.schema, password: "another one")
    #expect(wrong.code == .wrongPassword)
    try FileManager.default.removeItem(atPath: place.remote)
    try place.move(place.path + "/kept", to: place.remote)
    #expect(await place.sync("one", "two") == [.success, .success])
  }

  @Test func lostKeysAndAnEmptiedFolderAreNoDeadEnd() async throws {
    let place = try await Self.edited()
    defer { place.remove() }
    try place.emptyRemote()
    try FileManager.default.removeItem(atPath: place.state("one"))
    try await place.attach("one", isFirst: true)
    #expect(await place.sync("one") == [.success])
    try await place.attach("three")
    // What the other device wrote is passed on once somebody turns out to lack it.
    #expect(await place.sync("three", "one", "three", "one") == [.held, .success, .success, .success])
    #expect(await place.run("three", "sql", "SELECT text FROM note ORDER BY id").output == "first\nsecond\n")
  }

  /// Two devices with a record each, which both have read.
  private static func edited() async throws -> Place {
    let place = try await Place.attached("one", "two")
    #expect(await place.run("one", "sql", "INSERT INTO note VALUES('a','first',NULL)").code == .success)
    #expect(await place.run("two", "sql", "INSERT INTO note VALUES('b','second',NULL)").code == .success)
    #expect(await place.sync("one", "two", "one") == [.success, .success, .success])
    return place
  }
}
