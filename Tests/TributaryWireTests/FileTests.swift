import TestSupport
import Testing
import TributaryCodec
import TributaryModel
import TributaryWire

@Suite struct WholeFiles {
  @Test func headsComeBack() throws {
    #expect(try Head(decoding: try sampleHead.encode().bytes) == sampleHead)
    let empty = Head(schemaName: "x")
    #expect(try Head(decoding: try empty.encode().bytes) == empty)
  }

  @Test func aHeadWithoutASchemaNameIsRefused() throws {
    expect(.missing) { _ = try Head(decoding: [0xa0]) }
    var long = sampleHead
    long.deviceName = String(repeating: "x", count: 129)
    expect(.tooLarge) { _ = try long.encode() }
  }

  @Test func aHeadOfFiveDevicesIsOneKilobyteSealed() throws {
    var head = sampleHead
    head.cursors = [:]
    for number in 0..<5 {
      var random = Splitmix(seed: UInt64(number))
      let cursor = Cursor(
        seq: 1000, hash: random.bytes(32), moment: at(1_700_000_000_000 + Int64(number)).moment)
      head.cursors[DeviceID(high: random.next(), low: random.next())] = cursor
    }
    head.acknowledged = head.cursors
    let sealed = try SealedFile.seal(try head.encode(), at: .head(ann), counter: 7, with: try sealing())
    print("a head of five devices: \(sealed.count) bytes sealed")
    #expect(sealed.count == 1024)
  }

  @Test func fencesComeBack() throws {
    for purpose in [Fence.Purpose.rotate, .revoke(bob)] {
      let fence = try sampleFence(purpose)
      #expect(try Fence(decoding: try fence.encode().bytes) == fence)
    }
    expect(.missing) { _ = try Fence(decoding: [0xa0]) }
  }

  @Test func schemasComeBack() throws {
    for schema in [sampleSchema, sampleFoundSchema] {
      #expect(try SchemaCoding.decode(try SchemaCoding.encode(schema)) == schema)
    }
    #expect(sampleFoundSchema.problems() == [])
    #expect(try Schema(json: Array(sampleFoundSchema.json.utf8)) == sampleFoundSchema)
    let empty = Schema("e", tables: [])
    #expect(try SchemaCoding.decode(try SchemaCoding.encode(empty)) == empty)
  }

  @Test func aFileAtAnotherPlaceIsRefused() throws {
    let sealing = try sealing()
    let bytes = try SealedFile.seal(
      try LogBody().encode(), at: .log(ann, 5), previous: digest(1), with: sealing)
    let opened = try SealedFile.open(bytes, at: .log(ann, 5), dataKey: sealing.dataKey)
    #expect(opened.hash == Container.fileHash(bytes))
    #expect(try SealedFile.peek(bytes, at: .log(ann, 5)).epoch == 2)
    for (place, code) in [
      (FilePlace.log(ann, 6), WireError.Code.wrongSeq), (.log(bob, 5), .wrongDevice),
      (.snapshot(ann, 5, part: 0), .wrongKind), (.head(ann), .wrongKind),
    ] {
      expect(code) { _ = try SealedFile.open(bytes, at: place, dataKey: sealing.dataKey) }
    }
    try SealedFile.checkChain(opened.header, follows: digest(1))
    expect(.brokenChain) { try SealedFile.checkChain(opened.header, follows: digest(2)) }
  }

  @Test func aSnapshotPartAtThePlaceOfAnotherIsRefused() throws {
    let sealing = try sealing()
    let bytes = try SealedFile.seal(
      try SnapshotPart().encode(), at: .snapshot(ann, 5, part: 1), with: sealing)
    expect(.wrongKind) {
      _ = try SealedFile.open(bytes, at: .snapshot(ann, 5, part: 2), dataKey: sealing.dataKey)
    }
  }

  @Test func oneEditIsALogOf400Bytes() throws {
    let change = RecordState(fields: [
      Field("title", Register(stamp: at(1_700_000_000_000), value: .text("Buy milk and bread")))
    ])
    let key = id("01HF7Y8Q2ZJ5X9W3V4T6S7R8PQ")
    var random = Splitmix(seed: 1)
    var body = try #require(try LogWriter.split([Entry(RecordName("item", key), change)]).first)
    for _ in 0..<4 {
      let device = DeviceID(high: random.next(), low: random.next())
      body.cursors[device] = Cursor(
        seq: 100, hash: Cursor.start.hash, moment: at(1_699_999_999_000).moment)
    }
    let sealed = try SealedFile.seal(try body.encode(), at: .log(ann, 5), with: try sealing())
    print("one edit beside four cursors: \(sealed.count) bytes sealed")
    #expect(sealed.count == 400)
  }

  @Test func aLogCarriesOnlyItsWritersEdits() throws {
    let name = RecordName("item", id("k"))
    func check(_ change: RecordState, isRepublished: Bool = false) throws {
      try LogRules.check([Entry(name, change)], by: ann, isRepublished: isRepublished)
    }
    let own = Register(stamp: at(5), value: .null)
    let foreign = Register(stamp: at(5, 0, bob), value: .null)
    try check(RecordState(born: at(5), deletes: [Delete(stamp: at(3, 0, bob))], fields: [Field("a", own)]))
    let removal = ElementSet.Mark(value: .null, device: bob, added: nil, removed: at(2).moment)
    let addition = ElementSet.Mark(value: .null, device: bob, added: at(2).moment, removed: nil)
    func set(_ mark: ElementSet.Mark) -> RecordState {
      RecordState(fields: [Field("s", .set(ElementSet(marks: [mark], stamp: at(5), schemaVersion: 1)))])
    }
    try check(set(removal))
    let total = Counter.Total(device: bob, stamp: at(5, 0, bob), base: at(1), sum: 1)
    for change in [
      RecordState(born: at(5, 0, bob)), RecordState(fields: [Field("a", own), Field("b", foreign)]),
      set(addition), RecordState(fields: [Field("c", .counter(Counter(base: nil, totals: [total])))]),
      RecordState(fields: [Field("c", .counter(Counter(base: foreign, totals: [])))]),
    ] {
      expect(.foreignStamp) { try check(change) }
      try check(change, isRepublished: true)
    }
  }

  func sealing() throws -> Sealing {
    Sealing(
      dataKey: try Secret([UInt8](repeating: 9, count: 32)), installNonce: 77, epoch: 2,
      random: SeededSource(seed: 3))
  }
}
