import Testing
import TributaryModel
import TributaryWire

@testable import TributaryStore
@testable import TributaryTool

/// What `status` says of entries that are held.
@Suite struct HeldLineTests {
  private let device = DeviceID(high: 1, low: 2)
  private let build = Build(
    schemaVersion: 1,
    types: ["note": RecordType(fields: ["text": ValueRule(.text)], key: [ValueRule(.text)])])

  @Test func reasonsAreCountedAndWordedForPeople() throws {
    let ahead: Int64 = 32_503_680_000_000
    let items = [
      try item("note", .text("x"), at: ahead), try item("note", .text("y"), at: ahead + 1000),
      try item("other", .text("z")), try item("note", .integer(7)), try item("note", .text("fine")),
      HeldItem(device: device, seq: 1, type: nil, reason: "needs format 2", bytes: []),
    ]
    let lines = HeldLine.lines(items, build)
    #expect(lines.map(\.count) == [2, 1, 1, 1, 1])
    #expect(
      lines.map(\.reason)[..<2] == [
        "it comes from a clock that is ahead", "the schema here has no table other",
      ])
    #expect(lines[2].reason.hasPrefix("text of note "))
    #expect(lines.map(\.reason)[3...] == ["ready for the next sync", "needs format 2"])
    #expect(lines[0].until == ahead + 1000 - Clock.tolerance)
    #expect(lines[0].text.contains(", until 29") || lines[0].text.contains(", until 30"))
  }

  private func item(_ type: String, _ value: Value, at milliseconds: Int64 = 1_700_000_000_000) throws
    -> HeldItem
  {
    let stamp = Stamp(Moment(milliseconds: milliseconds), device)
    let id = try #require(RecordID([.text("k")]))
    let state = RecordState(born: stamp, fields: [Field("text", Register(stamp: stamp, value: value))])
    return HeldItem(
      device: device, seq: 1, type: type, reason: "as it was then",
      bytes: try EntryCoding.encode(Entry(RecordName(type, id), state)))
  }
}
