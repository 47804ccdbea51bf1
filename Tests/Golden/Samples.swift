import TestSupport
import TributaryCodec
import TributaryModel
import TributaryWire

let ann = DeviceID(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10)
let bob = DeviceID(high: 7, low: 9)
let eve = DeviceID(high: .max, low: 1)
let noon: Int64 = 1_700_000_000_000

/// A stamp so many milliseconds after noon.
func at(_ milliseconds: Int64, _ counter: UInt16 = 0, _ device: DeviceID = ann) -> Stamp {
  Stamp(Moment(milliseconds: noon + milliseconds, counter: counter), device)
}

func id(_ values: Value...) -> RecordID { RecordID(values) ?? RecordID(encoded: [0x30]) }

func digest(_ byte: UInt8) -> Digest { Hash.digest([byte]) }

/// The entries of the files.
enum Samples {
  static let insert = Entry(
    RecordName("item", id(.text("k"))),
    RecordState(
      born: at(0, 2),
      fields: [
        Field("n", Register(stamp: at(0, 2), value: .integer(-1))),
        Field("title", Register(stamp: at(0, 2), value: .text("Hi"))),
      ]))

  /// Every kind of field, deletes with and without a cause, lives, versions: all edits are Ann's.
  static var rich: [Entry] {
    let base = Register(stamp: at(1), value: .integer(10), schemaVersion: 2, life: at(0))
    let counter = Counter(
      base: base, totals: [.init(device: ann, stamp: at(9), base: at(1), life: at(0), sum: -3)])
    let fields = [
      Field("count", .counter(counter)), Field("tags", .set(tags)),
      Field("title", Register(stamp: at(10), value: .text([0xFF, 0]), schemaVersion: 2, life: at(0))),
    ]
    let list = RecordName("list", id(.integer(7)))
    return [
      Entry(
        RecordName("item", id(.text("a"))),
        RecordState(deletes: [Delete(stamp: at(-8, 0, bob))], fields: fields)),
      Entry(
        RecordName("item", id(.text("b"))),
        RecordState(deletes: [
          Delete(stamp: at(11, 1)), Delete(stamp: at(12), cause: list),
          Delete(stamp: at(13), erases: true), Delete(stamp: at(14), erases: true, cause: list),
        ])),
      Entry(
        RecordName("item", id(.text("c"))),
        RecordState(
          born: at(20), deletes: [Delete(stamp: at(15, 0, eve), erases: true)],
          fields: [Field("title", Register(stamp: at(20, 1), value: .null, life: at(20)))])),
    ] + mixed
  }

  /// Rows of one shape that share neither stamps nor roots, versions or deletes.
  private static var mixed: [Entry] {
    (1...4).map { (number: Int64) -> Entry in
      let deletes = number == 3 ? [Delete(stamp: at(-3, 0, eve)), Delete(stamp: at(-2, 0, eve))] : []
      let fields = [
        Field("n", Register(stamp: at(20 - number), value: .integer(number), life: at(10 - number))),
        Field(
          "title",
          Register(stamp: at(20 + number), value: .text("m"), schemaVersion: UInt32(100 * number))),
      ]
      return Entry(
        RecordName("item", id(.text("m\(number)"))), RecordState(deletes: deletes, fields: fields))
    }
  }

  private static var tags: ElementSet {
    ElementSet(
      marks: [
        .init(value: .text("red"), device: ann, added: at(9).moment, removed: at(2).moment),
        .init(value: .text("red"), device: bob, added: nil, removed: at(-9, 1).moment),
        .init(value: .integer(5), device: ann, added: at(3, 7).moment, removed: nil),
      ], stamp: at(10), schemaVersion: 3)
  }

  /// Every kind of value and of key, at its ends.
  static var values: [Entry] {
    let values: [(String, Value)] = [
      ("a null", .null), ("b least", .integer(.min)), ("c greatest", .integer(.max)), ("d zero", .integer(0)),
      ("e minus zero", .real(-0.0)), ("f infinite", .real(.infinity)),
      ("g least", .real(.leastNonzeroMagnitude)),
      ("h half", .real(0.5)), ("i empty", .text("")), ("j nul", .text([97, 0, 98])),
      ("k accents", .text("Caf\u{E9} \u{1F600}")), ("l none", .blob([])), ("m bytes", .blob([0, 255])),
      ("n not text", .text([0xC3, 0x28])),
    ]
    let state = RecordState(
      born: at(30), fields: values.map { Field($0.0, Register(stamp: at(30), value: $0.1)) })
    let keys = [
      id(.integer(.min)), id(.integer(-1)), id(.integer(0)), id(.real(3)), id(.real(-2.5)), id(.real(0.1)),
      id(.text("")), id(.text("a"), .text("b")), id(.text([97, 0]), .integer(1), .blob([0])),
      id(.blob([0, 1]), .text("x")), id(.blob([])),
      id(.text([UInt8](repeating: 120, count: 511))),
    ].sorted()
    return keys.enumerated().map { index, key in
      Entry(
        RecordName("key", key),
        RecordState(fields: [Field("n", Register(stamp: at(31, UInt16(index)), value: .integer(1)))]))
    } + [Entry(RecordName("values", id(.integer(1))), state)]
  }

  /// Columns long enough to be packed, each in its own way.
  static var numbers: [Entry] {
    (0..<10).map { (number: Int) -> Entry in
      let step = Double(number)
      let columns: [(String, Value)] = [
        ("ascending", .integer(1_000_000 + 300 * Int64(number))),
        ("decimal", .real(step / 100 + 3)), ("far", .integer(number % 2 == 0 ? .min : .max)),
        ("irrational", .real((step + 2).squareRoot())), ("near", .integer(Int64(number * 37 % 11))),
        ("same", .integer(-5)),
      ]
      let fields = columns.map { Field($0.0, Register(stamp: at(40), value: $0.1)) }
      return Entry(RecordName("number", id(.integer(Int64(number)))), RecordState(fields: fields))
    }
  }

  /// Values that travel in pieces.
  static var large: [Entry] {
    let text = (0..<30_000).flatMap { _ in Array("0123456789".utf8) }
    let blob = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 >> 8) }
    let fields = [
      Field("bytes", Register(stamp: at(50), value: .blob(blob), life: at(49))),
      Field("n", Register(stamp: at(50), value: .integer(1))),
      Field("text", Register(stamp: at(50, 1), value: .text(text))),
    ]
    return [
      Entry(RecordName("item", id(.text("large"))), RecordState(born: at(50), fields: fields)), insert,
    ].sorted { $0.name < $1.name }
  }

  /// A value that does not compress, so that its file has more than one chunk.
  static let noise = Entry(
    RecordName("item", id(.text("noise"))),
    RecordState(
      fields: [
        Field("bytes", Register(stamp: at(80, 0, bob), value: .blob(SeededSource(seed: 3).bytes(66_000))))
      ]))

  /// State that is sent again: other devices' edits.
  static var foreign: [Entry] {
    let set = ElementSet(
      marks: [.init(value: .null, device: eve, added: at(60).moment, removed: nil)], stamp: at(61, 0, bob),
      schemaVersion: 1)
    let counter = Counter(
      base: nil,
      totals: [
        .init(device: bob, stamp: at(62, 0, bob), base: at(1), life: at(0), sum: .max),
        .init(device: eve, stamp: at(62, 0, eve), base: at(1), sum: .min),
      ])
    return [
      Entry(
        RecordName("item", id(.text("foreign"))),
        RecordState(
          born: at(60, 0, eve),
          fields: [
            Field("count", Register(stamp: at(61, 0, bob), value: .integer(4))),
            Field("count", .counter(counter)),
            Field("tags", .set(set)), Field("title", Register(stamp: at(63, 0, bob), value: .text("Bob's"))),
          ]))
    ]
  }
}
