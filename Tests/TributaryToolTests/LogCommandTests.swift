import Foundation
import Testing

@testable import TributaryTool

/// `log`, and that the tool's sync writes it.
@Suite struct LogCommandTests {
  @Test func syncsAndTheirFailuresAreWrittenDownNewestFirst() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    try await place.sql("one", "INSERT INTO note VALUES('a','t',NULL)")
    try await place.synced("one", "two")
    try place.move(place.remote, to: place.path + "/away")
    #expect(await place.run("two", "sync").code != .success)
    try place.move(place.path + "/away", to: place.remote)
    let lines = try await place.json("two", "log")
    try #require(lines.count > 1)
    #expect(lines.map { $0["kind"] as? String } == ["error", "applied"])
    #expect(lines[1]["message"] as? String == "1 record changed here.")
    #expect((lines[0]["timeMilliseconds"] as? Int ?? 0) >= (lines[1]["timeMilliseconds"] as? Int ?? .max))
    #expect(try await place.json("two", "log", "--limit", "1").count == 1)
    #expect(await place.run("one", "log").output.hasSuffix("  sent      1 edit sent.\n"))
  }

  @Test func whatLastsIsSaidOnceThoughEachSyncIsAProcessOfItsOwn() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    for device in ["one", "two"] {
      try await place.sql(device, "INSERT INTO note VALUES('\(device)','t',NULL)")
    }
    try await place.synced("one")
    let log = try #require(try place.files(".log").first)
    let whole = try place.bytes(log)
    try place.put(Array(whole.dropLast(10)), at: log)
    try await place.synced("two", "two", "two")
    #expect(try await place.json("two", "log").count { $0["kind"] as? String == "gap" } == 1)
  }

  @Test func aSyncThatAPersonStoppedIsNoFailure() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    #expect(await place.run("one", "sync", isInterrupted: true).code == .interrupted)
    #expect(try await place.json("one", "log").isEmpty)
  }

  @Test func missingKeysAreWrittenDown() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    try FileManager.default.removeItem(atPath: place.state("one"))
    #expect(await place.run("one", "sync").code == .notAttached)
    #expect(await place.run("one", "log").output.contains("error     this machine has no keys for"))
  }
}
