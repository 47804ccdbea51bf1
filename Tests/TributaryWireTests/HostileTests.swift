import TestSupport
import Testing
import TributaryCodec
import TributaryModel

@testable import TributaryWire

@Suite struct HostileBytes {
  private func sample(_ seed: UInt64, _ count: Int) throws -> [EncodedBlock] {
    var random = Splitmix(seed: seed)
    var generator = RandomEntries(&random)
    return try encoded(generator.entries(count))
  }

  private func readLog(_ bytes: [UInt8]) throws {
    var body = try LogBody(decoding: bytes)
    body.run = .init()
    _ = try RunReader.assemble([body], format: 1)
  }

  @Test func aLogCutAtAnyByteIsATypedError() throws {
    var body = LogBody(cursors: [bob: Cursor(seq: 3, hash: Cursor.start.hash, moment: at(5).moment)])
    body.schema = try SchemaCoding.encode(sampleSchema)
    body.blocks = try sample(1, 12)
    let bytes = try body.encode().bytes
    try readLog(bytes)
    for end in 0..<bytes.count {
      #expect(failsTyped { try readLog(Array(bytes[..<end])) }, "cut at \(end)")
    }
  }

  @Test func aBlockCutAtAnyByteIsATypedError() throws {
    for block in try sample(2, 30) {
      let content = block.raw.content
      for end in 0..<content.count {
        var cut = block.raw
        cut.content = Array(content[..<end])
        #expect(failsTyped { _ = try BlockDecoder.decode(cut, format: 1) }, "cut at \(end)")
      }
    }
  }

  @Test func changedBytesNeverCrash() throws {
    var random = Splitmix(seed: UInt64.random(in: 0..<1 << 32))
    print("first number \(random.next())")
    let blocks = try sample(3, 40)
    for block in blocks {
      for _ in 0..<400 {
        var raw = block.raw
        for _ in 0..<1 + random.below(3) {
          raw.content[random.below(raw.content.count)] = UInt8(truncatingIfNeeded: random.next())
        }
        do {
          _ = try BlockDecoder.decode(raw, format: 1)
        } catch {
          #expect(error is WireError || error is CodecError)
        }
      }
    }
  }

  @Test func aCountAboveTheLimitsIsRefusedBeforeItCosts() {
    expect(.malformed) { try self.read(rows: 60_000, stamps: [0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0, 1]) }
    #expect(failsTyped { try self.read(rows: 1 << 40, stamps: [1, 0, 0, 1]) })
    #expect(failsTyped { try self.read(rows: 60_000, stamps: [0xe0, 0xd4, 3, 0, 0, 1]) })
    #expect(failsTyped { try self.read(rows: 0, stamps: []) })
  }

  @Test func manyValuesOfOneByteAreRefused() throws {
    // 60,000 rows with 18 columns of NULL are over a million values in a megabyte.
    let fields = (0..<18).map { Field("f\($0 + 10)", Register(stamp: at(5), value: .null)) }
    let entries = (0..<60_000).map { number in
      WireEntry(
        Entry(
          RecordName("item", RecordID([.integer(Int64(number))]) ?? id("x")), RecordState(fields: fields)))
    }
    let blocks = try BlockEncoder.encode(entries)
    expect(.tooLarge) { _ = try decoded(blocks) }
  }

  @Test func identitiesThatRepeatAreRefused() throws {
    let change = RecordState(fields: [Field("a", Register(stamp: at(5), value: .null))])
    let twice = [Entry(RecordName("item", id("k")), change), Entry(RecordName("item", id("k")), change)]
    let blocks = try encoded(twice)
    expect(.malformed) { _ = try decoded(blocks) }
  }

  @Test func aPieceBesideAnythingElseIsRefused() throws {
    let empty = { (name: String) in Field(name, Register(stamp: at(5), value: .null)) }
    let piece = Piece(isText: false, index: 0, count: 2, bytes: [1])
    let alone = RecordState(fields: [empty("a")])
    for (change, pieces) in [
      (RecordState(born: at(5), fields: [empty("a")]), [0: piece]),
      (RecordState(fields: [empty("a"), empty("b")]), [0: piece]),
      (RecordState(fields: [empty("a"), empty("b")]), [0: piece, 1: piece]),
    ] {
      var joiner = PieceJoiner()
      expect(.malformed) {
        _ = try joiner.join(WireEntry(Entry(RecordName("item", id("k")), change), pieces: pieces))
      }
    }
    var joiner = PieceJoiner()
    #expect(try joiner.join(WireEntry(Entry(RecordName("item", id("k")), alone), pieces: [0: piece])) == nil)
  }

  /// A block of one row with the NULL of one field, in which the field's column is another.
  private func block(column: [UInt8]) throws -> RawBlock {
    let change = RecordState(fields: [Field("n", Register(stamp: at(5), value: .null))])
    var raw = try encoded([Entry(RecordName("item", id("k")), change)])[0].raw
    let usual: [UInt8] = [0xA3, 0x00, 0x61, 0x6E, 0x01, 0x00, 0x06, 0x81, 0xF6]
    let start = try #require(raw.content.indices.first { raw.content[$0...].starts(with: usual) })
    raw.content.replaceSubrange(start..<start + usual.count, with: column)
    return raw
  }

  @Test func aFieldWithTwoColumnsOfValuesIsRefused() throws {
    let twice = try block(column: [0xA4, 0, 0x61, 0x6E, 1, 0, 6, 0x81, 0xF6, 7, 0x41, 0])
    let error = #expect(throws: WireError.self) { try RunReader.reread([twice], format: 1) }
    #expect(error?.message.contains("twice") == true)
  }

  /// Whatever the keys of a kind of a later build mean.
  @Test func aFieldOfALaterKindIsHeldAndNotRead() throws {
    let later = try block(column: [0xA4, 0, 0x61, 0x6E, 1, 3, 2, 0xF5, 6, 0x01])
    #expect(try RunReader.reread([later], format: 1).opaque.map(\.content) == [later.content])
  }

  @Test func aCursorOfTwoItemsIsRefused() throws {
    var log = LogBody(cursors: [bob: Cursor(seq: 3, hash: Cursor.start.hash, moment: at(4).moment)])
    log.schema = nil
    var bytes = try log.encode().bytes
    let device = try #require(bytes.indices.first { bytes[$0...].starts(with: bob.bytes) })
    #expect(bytes[device - 2] == 0x83)
    bytes[device - 2] = 0x82
    expect(.malformed) { _ = try LogBody(decoding: bytes) }
  }

  @Test func headsFencesAndManifestsCutAtAnyByteAreTypedErrors() throws {
    let head = try sampleHead.encode().bytes
    let fence = try sampleFence().encode().bytes
    let part = try SnapshotPart(manifest: sampleManifest).encode().bytes
    for end in 0..<head.count { #expect(failsTyped { _ = try Head(decoding: Array(head[..<end])) }) }
    for end in 0..<fence.count { #expect(failsTyped { _ = try Fence(decoding: Array(fence[..<end])) }) }
    for end in 0..<part.count { #expect(failsTyped { _ = try SnapshotPart(decoding: Array(part[..<end])) }) }
  }

  private func read(rows: UInt64, stamps: [UInt8]) throws {
    var out = CBORWriter()
    out.write(map: 4)
    out.write(uint: 0)
    out.write(array: 1)
    out.write(text: "item")
    out.write(uint: 1)
    out.write(uint: rows)
    out.write(uint: 2)
    out.write(bytes: ann.bytes)
    out.write(uint: 5)
    out.write(bytes: stamps)
    _ = try BlockDecoder.decode(RawBlock(minReader: 1, isBarrier: false, content: out.bytes), format: 1)
  }
}
