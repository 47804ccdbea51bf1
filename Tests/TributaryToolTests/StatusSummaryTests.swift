import Foundation
import Testing

@testable import TributaryTool

/// The first line of `status`: whether it is done, and what waits for what.
@Suite struct StatusSummaryTests {
  @Test func aPersonReadsWhetherItIsDone() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    #expect(try await place.summary("one") == "It was never synced, and nothing waits to be sent.")
    try await place.sql("one", "INSERT INTO note VALUES('a','t',NULL),('b','t',NULL)")
    #expect(try await place.summary("one") == "2 edits wait for the first sync.")
    try await place.synced("one")
    #expect(
      try await place.summary("one")
        == "Everything is sent, and no other device is known yet (last sync just now).")
    try await place.synced("two", "one")
    let done = "Everything is sent, and everything that the others sent is here (last sync just now)."
    for device in ["one", "two"] { #expect(try await place.summary(device) == done) }
    try await place.sql("one", "UPDATE note SET text='u' WHERE id='a'")
    #expect(
      try await place.summary("one")
        == "1 edit waits for the next sync. The last sync that went well was just now.")
  }

  @Test func aFailedSyncIsSaidUntilOneGoesWell() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    try await place.synced("one", "two", "one")
    try place.move(place.remote, to: place.path + "/away")
    #expect(await place.run("one", "sync").code == .remoteUnavailable)
    #expect(
      try await place.summary("one")
        == "The remote could not be reached (just now). The last sync that went well was just now.")
    try place.move(place.path + "/away", to: place.remote)
    try await place.synced("one")
    #expect(try await place.summary("one").hasPrefix("Everything is sent, and everything"))
  }

  @Test func aDeviceThatCannotBeReadIsNamed() async throws {
    let place = try Place()
    defer { place.remove() }
    try await place.attach("one", isFirst: true)
    #expect(
      await place.run("two", "attach", place.remote, "--schema", place.schema, "--device", Place.hostile).code
        == .success)
    try await place.sql("one", "INSERT INTO note VALUES('a','t',NULL)")
    try await place.synced("one")
    let own = Set(try place.files(".log"))
    try await place.sql("two", "INSERT INTO note VALUES('b','t',NULL)")
    try await place.synced("two")
    let log = try #require(try place.files(".log").first { !own.contains($0) })
    try place.put(Array(try place.bytes(log).dropLast(10)), at: log)
    try await place.synced("one")
    let status = await place.run("one", "status")
    #expect(
      status.output.hasPrefix(
        "Everything is sent. Not all that \u{FFFD}[31mred\u{FFFD}\u{FFFD} sent could be read: "),
      "\(status)")
    #expect(Place.isClean(status.output))
  }

  @Test func withoutKeysItSaysSo() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    try FileManager.default.removeItem(atPath: place.state("one"))
    #expect(try await place.summary("one").hasPrefix("This machine has no keys for this database"))
  }

  @Test func howLongAgoIsSaidInTheLargestUnit() {
    let ages: [(Int64, String)] = [
      (-5_000, "just now"), (59_999, "just now"), (60_000, "1 minute ago"), (3_599_999, "59 minutes ago"),
      (3_600_000, "1 hour ago"), (172_800_000, "2 days ago"),
    ]
    for (age, text) in ages { #expect(HumanText.ago(1_000_000_000, now: 1_000_000_000 + age) == text) }
    #expect(HumanText.ago(.min, now: .max).hasSuffix(" days ago"))
  }
}

extension Place {
  /// The first line, which is what programs get too.
  fileprivate func summary(_ device: String) async throws -> String {
    let line = await run(device, "status").output.split(separator: "\n").first.map(String.init) ?? ""
    let json = try await json(device, "status")
    #expect(json.first?["summary"] as? String == line)
    return line
  }
}
