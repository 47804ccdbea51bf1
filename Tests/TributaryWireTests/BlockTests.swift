import TestSupport
import Testing
import TributaryCodec
import TributaryModel
import TributaryWire

@Suite struct Blocks {
  @Test func entriesOfEveryShapeComeBack() throws {
    try withSeeds(400) { random in
      var generator = RandomEntries(&random)
      let entries = generator.entries(1 + random.below(60))
      let content = try decoded(try encoded(entries))
      return content.opaque.isEmpty && content.entries.sorted { $0.name < $1.name } == entries
    }
  }

  @Test func equalEntriesGiveEqualBytes() throws {
    try withSeeds(40) { random in
      var generator = RandomEntries(&random)
      let entries = generator.entries(30)
      let again = try decoded(try encoded(entries)).entries.sorted { $0.name < $1.name }
      return try encoded(entries).map(\.raw) == encoded(again).map(\.raw)
    }
  }

  @Test func oneEntryAndOneStateComeBack() throws {
    try withSeeds(400) { random in
      var generator = RandomEntries(&random)
      let entry = generator.entry()
      guard !entry.change.isEmpty else { return true }
      let bytes = try EntryCoding.encode(entry)
      let state = try StateCoding.decode(try StateCoding.encode(entry.change))
      return try EntryCoding.decode(bytes, format: 1) == entry && state == entry.change
    }
  }

  /// Nearly every record is encoded alone by a writer of its own.
  @Test func aPlainRowHasTheBytesThatTheWriterOfManyGivesIt() throws {
    try withSeeds(400) { random in
      var generator = RandomEntries(&random)
      let stamp = generator.stamp()
      let fields = ["body", "n", "title", "z\u{e9}"].filter { _ in random.chance(70) }.map {
        Field(
          $0, Register(stamp: stamp, value: generator.value(), schemaVersion: UInt32(1 + random.below(2))))
      }
      var entry = generator.entry()
      entry.change = RecordState(born: stamp, fields: fields)
      let many = try BlockEncoder.encode([WireEntry(entry)])
      return try EntryCoding.encode(entry) == many[0].raw.bytes
    }
  }

  @Test func oneEntryKeepsAValueThatIsTooLargeForAFile() throws {
    let value = Value.blob([UInt8](repeating: 7, count: 9 << 20))
    let change = RecordState(fields: [Field("b", Register(stamp: at(5), value: value))])
    let entry = Entry(RecordName("item", id("k")), change)
    #expect(try EntryCoding.decode(try EntryCoding.encode(entry), format: 1) == entry)
  }

  @Test func namesThatDifferInBytesAloneGoIntoTwoBlocks() throws {
    let entries = ["caf\u{e9}", "cafe\u{301}"].enumerated().map { index, name in
      Entry(
        RecordName("item", id("\(index)")),
        RecordState(fields: [Field(name, Register(stamp: at(5), value: .null))]))
    }
    let blocks = try encoded(entries)
    #expect(blocks.count == 2)
    let names = try decoded(blocks).entries.flatMap { $0.change.fields.map { Array($0.name.utf8) } }
    #expect(names == [Array("caf\u{e9}".utf8), Array("cafe\u{301}".utf8)])
  }

  @Test func aBlockForALaterBuildIsKeptWhole() throws {
    let change = RecordState(fields: [Field("a", Register(stamp: at(5), value: .integer(1)))])
    let later = Entry(RecordName("item", id("k")), change, minReader: 2, isBarrier: true)
    let blocks = try encoded([later])
    let content = try decoded(blocks)
    #expect(content.entries.isEmpty)
    #expect(content.opaque == blocks.map(\.raw))
    #expect(content.opaque.first?.isBarrier == true)
    let kept = try RawBlock(bytes: try #require(content.opaque.first).bytes)
    #expect(try RunReader.reread([kept], format: 2).entries == [later])
    #expect(try EntryCoding.decode(kept.bytes, format: 1) == nil)
  }

  @Test func anUnknownLayoutIsKeptWhole() throws {
    let raw = RawBlock(layout: 9, minReader: 1, isBarrier: false, content: [1, 2, 3])
    #expect(try decoded([EncodedBlock(raw)]).opaque == [raw])
    #expect(try RawBlock(bytes: raw.bytes) == raw)
  }

  @Test func aBlobReferenceIsKeptForALaterBuild() throws {
    var writer = CBORWriter()
    writer.write(array: 3)
    writer.write(uint: 1)
    writer.write(bytes: [UInt8](repeating: 4, count: 32))
    writer.write(uint: 1 << 30)
    let raw = handmade(values: writer.bytes)
    let content = try decoded([EncodedBlock(raw)])
    #expect(content.entries.isEmpty)
    #expect(content.opaque.map(\.minReader) == [2])
    #expect(content.opaque.map(\.content) == [raw.content])
  }

  @Test func keysOfALaterBuildArePassedOver() throws {
    var value = CBORWriter()
    value.write(int: 5)
    let plain = try decoded([EncodedBlock(handmade(values: value.bytes))]).entries
    let more = try decoded([EncodedBlock(handmade(values: value.bytes, extra: true))]).entries
    #expect(plain.count == 1)
    #expect(plain == more)
  }

  /// A block with one row, by hand.
  private func handmade(values: [UInt8], extra: Bool = false) -> RawBlock {
    var out = CBORWriter()
    out.write(map: extra ? 8 : 7)
    out.write(uint: 0)
    out.write(array: 1)
    out.write(text: "item")
    out.write(uint: 1)
    out.write(uint: 1)
    out.write(uint: 2)
    out.write(bytes: ann.bytes)
    out.write(uint: 3)
    out.write(bytes: [0, 2])
    out.write(uint: 4)
    out.write(bytes: [0x30, 65])
    out.write(uint: 5)
    out.write(bytes: [1, 10, 0, 1])
    out.write(uint: 6)
    out.write(array: 1)
    out.write(map: 3)
    out.write(uint: 0)
    out.write(text: "f")
    out.write(uint: 1)
    out.write(uint: 0)
    out.write(uint: 6)
    out.write(array: 1)
    out.write(encoded: values)
    if extra {
      out.write(uint: 900)
      out.write(map: 1)
      out.write(text: "later")
      out.write(bool: true)
    }
    return RawBlock(minReader: 1, isBarrier: false, content: out.bytes)
  }
}
