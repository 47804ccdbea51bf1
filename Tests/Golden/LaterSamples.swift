import TributaryCodec
import TributaryModel
import TributaryWire

/// What a later build may write, by section 13 of the format, made by hand since no build of ours writes it.
enum LaterSamples {
  private static let unknownKey: UInt64 = 99

  /// Blocks that a reader of format 1 holds, each for another reason.
  static var held: [RawBlock] {
    get throws {
      let later = Entry(Samples.insert.name, Samples.insert.change, minReader: 2)
      return [
        RawBlock(layout: 9, minReader: 1, isBarrier: false, content: Array("another layout".utf8)),
        try BlockEncoder.encode([WireEntry(later)])[0].raw,
        RawBlock(minReader: 1, isBarrier: false, content: content(kind: 9) { $0.write(int: -1) }),
        RawBlock(minReader: 1, isBarrier: false, content: content(value: reference)),
      ]
    }
  }

  /// A reference to a blob that lies elsewhere, which format 1 reserves.
  private static func reference(_ output: inout CBORWriter) {
    output.write(array: 3)
    output.write(uint: 1)
    output.write(bytes: digest(1).bytes)
    output.write(uint: 5)
  }

  /// A log with one field, whose maps and open arrays have more than this build knows: nothing is held. The birth is not
  /// the row's own stamp, as no build of ours writes it either.
  static var log: [UInt8] {
    var output = CBORWriter()
    output.write(map: 4)
    output.write(uint: 1)
    output.write(array: 1)
    output.write(array: 5)
    output.write(bytes: bob.bytes)
    output.write(uint: 3)
    output.write(uint: at(-1).moment.raw)
    output.write(bytes: digest(2).bytes)
    output.write(text: "later")
    output.write(uint: 2)
    output.write(array: 3)
    for number in [0, 1, 7] as [UInt64] { output.write(uint: number) }
    output.write(uint: 5)
    output.write(array: 1)
    output.write(array: 5)
    output.write(uint: 1)
    output.write(uint: 1)
    output.write(bool: false)
    output.write(bytes: content(extended: true) { $0.write(int: -1) })
    output.writeNull()
    unknown(&output)
    return output.bytes
  }

  /// What a reader of format 1 gets out of it.
  static var entry: Entry {
    Entry(
      RecordName("item", id(.text("k"))),
      RecordState(born: at(-1, 3), fields: [Field("n", Register(stamp: at(0, 2), value: .integer(-1)))]))
  }

  /// A head with more than this build knows.
  static func head(_ known: [UInt8]) -> [UInt8] {
    // The head of a small map is one byte that holds the number of its pairs.
    guard let first = known.first, first & 0xE0 == 0xA0, first < 0xB6 else { return known }
    var output = CBORWriter()
    unknown(&output)
    return [first + 1] + known.dropFirst() + output.bytes
  }

  private static func unknown(_ output: inout CBORWriter) {
    output.write(uint: unknownKey)
    output.write(map: 1)
    output.write(uint: 0)
    output.write(array: 2)
    output.write(text: "later")
    output.writeNull()
  }

  /// One row in layout 1: record `item` "k", born at noon with one field `n`.
  private static func content(
    kind: UInt64 = 0, extended: Bool = false, value: (inout CBORWriter) -> Void
  ) -> [UInt8] {
    var output = CBORWriter()
    output.write(map: extended ? 9 : 8)
    output.write(uint: 0)
    output.write(array: 1)
    output.write(text: "item")
    output.write(uint: 1)
    output.write(uint: 1)
    let columns: [[UInt8]] = [
      ann.bytes, [0, 2], [0x30, 0x6B], [1, 0x80, 0xA0, 0xAB, 0xFE, 0xF9, 0x62, 4, 1],
    ]
    for (key, bytes) in columns.enumerated() {
      output.write(uint: UInt64(key + 2))
      output.write(bytes: bytes)
    }
    output.write(uint: 6)
    output.write(array: 1)
    output.write(map: extended ? 4 : 3)
    output.write(uint: 0)
    output.write(text: "n")
    output.write(uint: 1)
    output.write(uint: kind)
    output.write(uint: 6)
    output.write(array: 1)
    value(&output)
    if extended { unknown(&output) }
    output.write(uint: 7)
    if extended { output.write(bytes: [1, 1, 2, 0]) } else { output.write(bool: true) }
    if extended { unknown(&output) }
    return output.bytes
  }
}
