import TestSupport
import Testing
import TributaryCodec
import TributaryModel
import TributaryWire

@Suite struct Splitting {
  private func entry(_ key: String, _ values: [(String, Value)], minReader: UInt32 = 1) -> Entry {
    let fields = values.map { Field($0.0, Register(stamp: at(5), value: $0.1)) }
    return Entry(
      RecordName("item", id(key)), RecordState(born: at(5), fields: fields), minReader: minReader)
  }

  /// Seals each body and reads the run back from the sealed files.
  private func travel(_ bodies: [LogBody], format: UInt32 = 1) throws -> RunContent {
    let sealing = Sealing(
      dataKey: try Secret([UInt8](repeating: 9, count: 32)), installNonce: 77, epoch: 2,
      random: SeededSource(seed: 3))
    let read = try bodies.enumerated().map { index, body in
      let place = FilePlace.log(ann, UInt64(index + 1))
      let file = try SealedFile.seal(try body.encode(), at: place, with: sealing)
      #expect(file.count <= 512 << 10)
      return try LogBody(decoding: try SealedFile.open(file, at: place, dataKey: sealing.dataKey).body)
    }
    return try RunReader.assemble(read, format: format)
  }

  @Test func aPushLargerThanAFileBecomesARun() throws {
    var random = Splitmix(seed: 5)
    let entries = (0..<3000).map { number in
      entry("k\(100_000 + number)", [("b", .blob(random.bytes(500))), ("n", .integer(Int64(number)))])
    }
    let bodies = try LogWriter.split(
      entries, template: LogBody(schema: try SchemaCoding.encode(sampleSchema)))
    print("1.5 MB of noise: \(bodies.count) logs")
    #expect((4...6).contains(bodies.count))
    #expect(bodies.map(\.run.index) == (0..<UInt32(bodies.count)).map { $0 })
    #expect(bodies.filter { $0.schema != nil }.count == 1)
    #expect(try travel(bodies).entries == entries)
  }

  @Test func whatCompressesWellStillKeepsTheLimitsOfAPlainFile() throws {
    let text = Value.text([UInt8](repeating: 65, count: 2000))
    let entries = (0..<9000).map { entry("k\(100_000 + $0)", [("t", text)]) }
    let bodies = try LogWriter.split(entries)
    #expect(bodies.count > 1)
    for body in bodies { #expect(try body.encode().bytes.count <= 8 << 20) }
    #expect(try travel(bodies).entries == entries)
  }

  @Test func moreEntriesThanAFileTakesBecomeARun() throws {
    let entries = (0..<70_000).map { entry("k\(100_000 + $0)", [("n", .integer(1))]) }
    let bodies = try LogWriter.split(entries)
    #expect(bodies.count > 1)
    #expect(try travel(bodies).entries == entries)
  }

  @Test func aValueLargerThanAFileTravelsInPieces() throws {
    var random = Splitmix(seed: 6)
    let large = Value.blob(random.bytes(1_300_000))
    let text = Value.text([UInt8](repeating: 0xc3, count: 300_000))
    let entries = [
      entry("a", [("n", .integer(1))]), entry("b", [("b", large), ("n", .integer(2)), ("t", text)]),
      entry("c", [("n", .integer(3))]),
    ]
    let bodies = try LogWriter.split(entries)
    #expect(bodies.count >= 3)
    #expect(try travel(bodies).entries == entries)
  }

  @Test func aRecordOfManyLargeValuesTravelsInPieces() throws {
    var random = Splitmix(seed: 7)
    let values = (0..<60).map { ("f\(100 + $0)", Value.text(random.letters(30_000))) }
    let entries = [entry("a", [("n", .integer(1))]), entry("b", values)]
    #expect(try travel(try LogWriter.split(entries)).entries == entries)
  }

  @Test func aValueAboveTheLimitIsRefused() {
    let value = Value.blob([UInt8](repeating: 0, count: 16 << 20 + 1))
    expect(.tooLarge) { _ = try LogWriter.split([entry("a", [("b", value)])]) }
  }

  @Test func aRunWithAGapIsRefused() throws {
    var random = Splitmix(seed: 8)
    let bodies = try LogWriter.split([entry("a", [("b", .blob(random.bytes(900_000)))])])
    #expect(bodies.count >= 2)
    expect(.incompleteRun) { _ = try RunReader.assemble(Array(bodies.dropLast()), format: 1) }
    expect(.incompleteRun) { _ = try RunReader.assemble(bodies.reversed(), format: 1) }
    var lied = Array(bodies.dropFirst())
    for index in lied.indices { lied[index].run = .init(index: UInt32(index), count: UInt32(lied.count)) }
    expect(.incompleteRun) { _ = try RunReader.assemble(lied, format: 1) }
  }

  @Test func piecesForALaterBuildAreHeldAndReadByIt() throws {
    var random = Splitmix(seed: 9)
    let later = entry("a", [("b", .blob(random.bytes(900_000)))], minReader: 2)
    let held = try travel(try LogWriter.split([later]))
    #expect(held.entries.isEmpty)
    #expect(held.opaque.count >= 4)
    #expect(try RunReader.reread(held.opaque, format: 2).entries == [later])
  }
}
