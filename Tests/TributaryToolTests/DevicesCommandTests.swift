import Foundation
import Testing

@testable import TributaryTool

/// `devices` and `usage`.
@Suite struct DevicesCommandTests {
  @Test func everyDeviceIsListedWithHowFarItWasRead() async throws {
    let place = try await Place.conflicting()
    defer { place.remove() }
    try await place.sql("one", "UPDATE note SET code='x' WHERE id='a'")
    let lines = try await place.json("one", "devices")
    try #require(lines.count > 1)
    #expect(lines.map { $0["relation"] as? String } == ["this", "other"])
    #expect(lines[0]["name"] as? String == "one" && lines[1]["name"] as? String == "two\(Place.hostile)")
    #expect(lines[0]["unsentWrites"] as? Int == 1 && lines[1]["unsentWrites"] is NSNull)
    #expect(lines[0]["logsWritten"] as? Int == 2)
    #expect(lines[1]["logsRead"] as? Int == 1 && lines[1]["logsWritten"] as? Int == 1)
    // The second one said so before it was read here the last time.
    #expect(lines[1]["logsReadOfThis"] as? Int == 2)
    #expect(lines[1]["format"] as? Int == 1 && lines[1]["schemaVersion"] as? Int == 1)
    let text = await place.run("one", "devices").output
    #expect(text.contains("one (this device), ") && text.contains("unsent: 1 write, 0 sealed files"))
    #expect(text.contains("read 1 of 1 of its logs here; has read 2 of this device's 2"), "\(text)")
  }

  @Test func aNewNameReachesTheOthersWithTheNextSync() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    try await place.sql("one", "INSERT INTO note VALUES('a','t',NULL)")
    try await place.synced("one", "two")
    let rename = await place.run("one", "devices", "--rename", "Ann's laptop")
    #expect(
      rename.code == .success && rename.output.hasPrefix("This device is called Ann's laptop now, and was"))
    // Nothing else is new.
    #expect(await place.run("one", "sync").output.hasPrefix("Sent 0, received 0"))
    try await place.synced("two")
    #expect(try await place.json("two", "devices").last?["name"] as? String == "Ann's laptop")
    #expect(await place.run("one", "devices", "--rename", String(repeating: "x", count: 129)).code == .usage)
  }

  @Test func usageAddsUpWhatLiesOnTheRemote() async throws {
    let place = try await Place.conflicting()
    defer { place.remove() }
    let lines = try await place.json("one", "usage")
    let remote = lines.filter { $0["side"] as? String == "remote" }
    let files = try place.files("").filter { $0.hasSuffix(".bin") || $0.hasSuffix(".log") }
    let bytes = try files.reduce(0) { try $0 + place.bytes($1).count }
    #expect(remote.count == 2)
    #expect(remote.compactMap { $0["files"] as? Int }.reduce(0, +) == files.count)
    #expect(remote.compactMap { $0["bytes"] as? Int }.reduce(0, +) == bytes)
    let logs = remote.compactMap { ($0["logs"] as? [String: Any])?["files"] as? Int }.reduce(0, +)
    #expect(logs == files.count { $0.hasSuffix(".log") })
    let local = lines.filter { $0["side"] as? String == "local" }
    #expect(local.first?["measure"] as? String == "pages" || local.first?["measure"] as? String == "content")
    let outbox = try #require(local.first { $0["table"] as? String == "tributary_outbox" })
    #expect(outbox["rows"] as? Int == 2 && (outbox["bytes"] as? Int ?? 0) > 0)
  }

  @Test func withoutTheRemoteTheLocalSideIsStillShown() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    try FileManager.default.removeItem(atPath: place.remote)
    let run = await place.run("one", "usage")
    #expect(run.code == .remoteUnavailable && run.output.contains("all tables of Tributary's: "), "\(run)")
  }
}
