import TestSupport
import Testing
import TributaryCodec
import TributaryModel
import TributaryWire

/// The work of PERFORMANCE: sizes are checked, times only printed.
@Suite(.serialized) struct Sizes {
  /// A skewed choice of words, like prose; time-ordered identities with 80 bits of chance.
  static func rows(_ count: Int) -> [Entry] {
    var random = Splitmix(seed: 11)
    let letters = Array("etaoinshrdlucmfwypvbgkqjxz".utf8)
    let vocabulary = (0..<2048).map { _ in
      (0..<2 + random.below(8)).map { _ in letters[random.below(26) * random.below(26) / 26] }
    }
    func text(_ count: Int) -> [UInt8] {
      var text: [UInt8] = []
      while text.count < count {
        let place = Double(random.below(1 << 30)) / Double(1 << 30)
        text += vocabulary[Int(2048 * place * place * place)] + [32]
      }
      return Array(text.prefix(count))
    }
    let stamp = at(1_760_000_000_000)
    var time: UInt64 = 1_760_000_000_000
    return (0..<count).map { number in
      if number % 4 == 0 { time += UInt64(1 + random.below(3)) }
      let fields: [(String, Value)] = [
        ("body", .text(text(100))), ("n", .integer(Int64(random.below(100_000)))),
        ("r", .real(Double(random.below(1_000_000)) / 100)), ("title", .text(text(20))),
        ("updated", .integer(Int64(time))),
      ]
      let state = RecordState(
        born: stamp, fields: fields.map { Field($0.0, Register(stamp: stamp, value: $0.1)) })
      return Entry(RecordName("item", identity(time, &random)), state)
    }.sorted { $0.name < $1.name }
  }

  private static func identity(_ time: UInt64, _ random: inout Splitmix) -> RecordID {
    let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    let start = (0..<10).map { alphabet[Int(time >> UInt64(5 * (9 - $0)) & 31)] }
    return RecordID([.text(start + (0..<16).map { _ in alphabet[random.below(32)] })]) ?? id("x")
  }

  private func measure(_ name: String, _ entries: [Entry], limit: Double) throws {
    let clock = ContinuousClock()
    var blocks: [EncodedBlock] = []
    let encoding = try clock.measure { blocks = try encoded(entries) }
    var content = RunContent()
    // A file takes 65,536 entries, so more are read in halves.
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
    var random = Splitmix(seed: 12)
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
