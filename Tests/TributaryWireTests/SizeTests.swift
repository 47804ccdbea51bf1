import Testing
import TributaryCodec
import TributaryModel
import TributaryWire

/// The work of PERFORMANCE: sizes are checked, times only printed.
@Suite(.serialized) struct Sizes {
  static let words = (0..<4000).map { number -> [UInt8] in
    var random = Seeded(seed: UInt64(number))
    let letters = Array("etaoinshrdlucmfwypvbgk".utf8)
    return (0..<3 + random.below(6)).map { _ in letters[min(random.below(22), random.below(22))] }
  }

  static func rows(_ count: Int) -> [Entry] {
    var random = Seeded(seed: 11)
    let stamp = at(1_700_000_000_000)
    return (0..<count).map { number in
      let fields: [(String, Value)] = [
        ("body", .text(text(&random, 100))), ("n", .integer(Int64(random.below(100_000)))),
        ("r", .real(Double(random.below(1_000_000)) / 1000)), ("title", .text(text(&random, 20))),
        ("updated", .integer(1_700_000_000_000 + Int64(number))),
      ]
      return Entry(
        RecordName("item", identity(number, &random)),
        RecordState(
          born: stamp, fields: fields.map { Field($0.0, Register(stamp: stamp, value: $0.1)) }))
    }
  }

  private static func text(_ random: inout Seeded, _ count: Int) -> [UInt8] {
    var text: [UInt8] = []
    while text.count < count { text += words[random.below(words.count)] + [32] }
    return Array(text.prefix(count))
  }

  /// 26 characters: ten of time, six that count, ten of chance.
  private static func identity(_ number: Int, _ random: inout Seeded) -> RecordID {
    let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    func digits(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { alphabet[Int(value >> UInt64(5 * (count - 1 - $0)) & 31)] }
    }
    let time = digits(UInt64(1_700_000_000_000 + number), 10)
    return RecordID([.text(time + digits(0, 8) + digits(random.next(), 8))]) ?? id("x")
  }

  private func measure(_ name: String, _ entries: [Entry], limit: Double) throws {
    let clock = ContinuousClock()
    var blocks: [EncodedBlock] = []
    let encoding = try clock.measure { blocks = try encoded(entries) }
    var content = RunContent()
    // A file has fewer values than this block, so it is read in halves.
    let halves = [entries.prefix(entries.count / 2), entries.suffix(entries.count - entries.count / 2)]
    let parts = try halves.flatMap { try encoded(Array($0)) }
    let decoding = try clock.measure { content = try decoded(parts) }
    #expect(content.entries == entries)
    let bytes = try EncodedBody(testing: blocks)
    let frame = try Zstd.compress(bytes.bytes, level: 1, blockEnds: bytes.blockEnds)
    let perRow = Double(frame.count) / Double(entries.count)
    print(
      "\(name): \(perRow) bytes a row, \(bytes.bytes.count) plain, encode \(encoding), decode \(decoding)")
    #expect(perRow <= limit)
  }

  @Test func insertedRowsAreSmall() throws {
    try measure("inserts", Self.rows(20_000), limit: 64)
  }

  @Test func editsOfOneColumnAreSmall() throws {
    var random = Seeded(seed: 12)
    let stamp = at(1_700_000_100_000)
    let entries = Self.rows(20_000).map { row in
      let value = Value.integer(Int64(random.below(100_000)))
      return Entry(row.name, RecordState(fields: [Field("n", Register(stamp: stamp, value: value))]))
    }
    try measure("edits", entries, limit: 13)
  }

  @Test func aPushOfManyRowsIsWrittenAndRead() throws {
    let entries = Self.rows(100_000)
    let clock = ContinuousClock()
    var bodies: [LogBody] = []
    let writing = try clock.measure { bodies = try LogWriter.split(entries) }
    var content = RunContent()
    let reading = try clock.measure { content = try RunReader.assemble(bodies, format: 1) }
    print("100,000 rows: \(bodies.count) logs, split \(writing), assemble \(reading)")
    #expect(content.entries == entries)
  }
}

extension EncodedBody {
  init(testing blocks: [EncodedBlock]) throws { self = try LogBody(blocks: blocks).encode() }
}
