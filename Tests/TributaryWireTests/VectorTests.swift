import Foundation
import TestSupport
import Testing
import TributaryCodec
import TributaryModel
import TributaryWire

/// The worked examples of docs/FORMAT.md: what the page shows is what is written and read.
@Suite struct Vectors {
  static let noon: Int64 = 1_700_000_000_000

  static var insert: Entry {
    let stamp = at(noon, 2)
    return Entry(
      RecordName("item", id("k")),
      RecordState(
        born: stamp,
        fields: [
          Field("n", Register(stamp: stamp, value: .integer(-1))),
          Field("title", Register(stamp: stamp, value: .text("Hi"))),
        ]))
  }

  static var rich: Entry {
    let stamp = at(noon)
    let set = ElementSet(
      marks: [
        .init(value: .text("red"), device: ann, added: stamp.moment, removed: nil),
        .init(value: .text("red"), device: bob, added: nil, removed: at(noon - 9, 1).moment),
      ], stamp: stamp, schemaVersion: 1)
    let counter = Counter(
      base: Register(stamp: at(noon - 5), value: .integer(10)),
      totals: [.init(device: bob, stamp: at(noon - 2, 0, bob), base: at(noon - 5), sum: -3)])
    return Entry(
      RecordName("item", id("k")),
      RecordState(
        deletes: [
          Delete(stamp: at(noon - 8, 0, bob), cause: RecordName("list", RecordID([.integer(7)]) ?? id("")))
        ],
        fields: [
          Field("count", .counter(counter)), Field("tags", .set(set)),
          Field("title", Register(stamp: stamp, value: .text([0xff]), schemaVersion: 2, life: at(noon - 5))),
        ]))
  }

  static var log: LogBody {
    get throws {
      LogBody(
        cursors: [bob: Cursor(seq: 3, hash: Cursor.start.hash, moment: at(noon - 1).moment)],
        blocks: try encoded([insert]))
    }
  }

  static var head: Head {
    var head = Head(
      schemaName: "com.example.tasks", appVersion: 41, schemaVersion: 3, deviceName: "Laptop", epoch: 2,
      wall: noon + 9)
    head.lastLog = .init(seq: 5, hash: Digest.zero)
    head.cursors = [bob: Cursor(seq: 3, hash: digest(2).bytes, moment: at(noon - 1).moment)]
    head.acknowledged = head.cursors
    return head
  }

  static func sealing() throws -> Sealing {
    Sealing(
      dataKey: try Secret([UInt8](repeating: 9, count: 32)), installNonce: 77, epoch: 2,
      random: SeededSource(seed: 3))
  }

  static var numbers: [Entry] {
    (0..<8).map { number in
      let change = RecordState(fields: [
        Field("n", Register(stamp: at(noon), value: .integer(Int64(1000 + 300 * number)))),
        Field("r", Register(stamp: at(noon), value: .real(Double(number) * 0.25))),
      ])
      return Entry(RecordName("m", RecordID([.integer(Int64(number))]) ?? id("")), change)
    }
  }

  /// Of the states "insert" and "rich" of the page.
  static var stateDigest: [UInt8] {
    get throws {
      var digest = StateDigest()
      try digest.add(insert)
      try digest.add(rich)
      return digest.bytes
    }
  }

  /// The hexadecimal blocks of the page by their names.
  private var page: [String: String] {
    get throws {
      let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
      let text = try String(contentsOf: root.appendingPathComponent("docs/FORMAT.md"), encoding: .utf8)
      var found: [String: String] = [:]
      for part in text.components(separatedBy: "```hex ").dropFirst() {
        let lines = part.components(separatedBy: "\n")
        let body = lines.dropFirst().prefix { $0 != "```" }
        found[lines[0]] = body.joined().filter { !$0.isWhitespace }
      }
      return found
    }
  }

  @Test func thePageShowsWhatIsWritten() throws {
    let page = try page
    let written: [(String, [UInt8])] = [
      ("insert", try EntryCoding.encode(Self.insert)), ("rich", try EntryCoding.encode(Self.rich)),
      ("numbers", try encoded(Self.numbers)[0].raw.bytes), ("log", try Self.log.encode().bytes),
      ("head", try Self.head.encode().bytes), ("fence", try sampleFence().encode().bytes),
      ("digest", try Self.stateDigest),
      ("schema", try SchemaCoding.encode(sampleSchema)),
      ("schema-adopted", try SchemaCoding.encode(sampleFoundSchema)),
    ]
    for (name, bytes) in written {
      #expect(page[name] == hexText(bytes), "\(name): \(hexText(bytes))")
    }
  }

  @Test func thePageShowsASealedLogThatOpens() throws {
    // Opened, not compared: another version of zstd may write other bytes.
    let made = try SealedFile.seal(
      try Self.log.encode(), at: .log(ann, 5), previous: digest(1), with: try Self.sealing())
    let text = try #require(try page["sealed"], "\(hexText(made))")
    let digits = text.compactMap(\.hexDigitValue)
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    let opened = try SealedFile.open(bytes, at: .log(ann, 5), dataKey: try Self.sealing().dataKey)
    #expect(opened.body == (try Self.log.encode().bytes))
    #expect(opened.header.previousHash == digest(1))
  }

  @Test func thePagesEntriesAreRead() throws {
    #expect(try EntryCoding.decode(try EntryCoding.encode(Self.rich), format: 1) == Self.rich)
    #expect(try decoded(try encoded(Self.numbers)).entries == Self.numbers)
  }
}
