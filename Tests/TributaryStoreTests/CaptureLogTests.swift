import SQLite
import TestSupport
import Testing
import TributaryModel

@testable import TributaryStore

/// The change log and its packed form.
@Suite struct CaptureLogTests {
  private static let image: [(field: Int, value: Value)] = [
    (0, .null), (1, .integer(.min)), (2, .integer(.max)), (3, .integer(-1)), (4, .real(-0.0)),
    (5, .real(.infinity)),
    (6, .text("a\0ä")), (7, .blob([])), (300, .text([0xFF])),
  ]

  private static let sample: [LocalChange] = [
    change(-3, .insert, [.text("")]),
    change(1, .insert, [.text("aa")]), change(1, .insert, [.text("aab")]),
    change(1, .update, [.text("aac")], [0, 63]),
    change(1, .update, [.text("b")], [0, 63]), change(1, .update, [.text("c")], [200]),
    change(1, .delete, [.text("d"), .integer(4)], [1], image), change(1, .delete, [.text("e")], [1]),
    change(.max, .insert, [.blob([UInt8](repeating: 7, count: 511))]),
  ].compactMap(\.self)

  private static func change(
    _ type: Int64, _ kind: LocalChange.Kind, _ key: [Value], _ fields: [Int] = [],
    _ image: [(field: Int, value: Value)] = []
  ) -> LocalChange? {
    RecordID(key).map { LocalChange(type: type, id: $0, kind: kind, fields: FieldMask(fields), image: image) }
  }

  private static func inserts(_ count: Int, padding: Int = 0) -> [LocalChange] {
    let tail = String(repeating: "x", count: padding)
    return (0..<count).compactMap { change(1, .insert, [.text("record \(10_000_000 + $0)\(tail)")]) }
  }

  @Test func everythingThatIsPackedIsReadBack() throws {
    #expect(Self.sample.count == 9)
    let pieces = ChangeLogCoding.encode(Self.sample)
    #expect(pieces.count == 1)
    #expect(try pieces.flatMap(ChangeLogCoding.decode) == Self.sample)
    #expect(ChangeLogCoding.encode([]).isEmpty)
  }

  @Test func theLayoutIsAsItWasPromised() throws {
    let changes = [
      Self.change(1, .insert, [.text("ab")]), Self.change(1, .insert, [.text("ac")]),
      Self.change(1, .update, [.text("b")], [0, 8]),
      Self.change(2, .delete, [.integer(1)], [], [(3, .integer(-2))]),
    ].compactMap(\.self)
    let expected: [UInt8] = [
      1,
      0, 1, 1, 0, 3, 0x30, 97, 98,
      5, 1, 99,
      2, 1, 2, 1, 0x81, 2, 1, 98,
      0, 2, 3, 0, 9, 0x10, 0x80, 0, 0, 0, 0, 0, 0, 1, 1, 3, 1, 3,
    ]
    #expect(ChangeLogCoding.encode(changes) == [expected])
  }

  @Test func piecesAreBoundedAndEachReadsAlone() throws {
    let changes = Self.inserts(400, padding: 480)
    let pieces = ChangeLogCoding.encode(Self.inserts(30_000) + [])
    #expect(pieces.count > 1)
    for piece in pieces { #expect(piece.count <= ChangeLogCoding.pieceLimit) }
    // Read from the last, to show that none needs another.
    let read = try pieces.reversed().map(ChangeLogCoding.decode)
    #expect(Array(read.reversed().joined()) == Self.inserts(30_000))
    #expect(try ChangeLogCoding.encode(changes).flatMap(ChangeLogCoding.decode) == changes)
  }

  @Test func anImageLongerThanAPieceHasAPieceOfItsOwn() throws {
    let long = Value.blob([UInt8](repeating: 1, count: 100_000))
    let changes = [
      Self.change(1, .insert, [.text("a")]), Self.change(1, .delete, [.text("b")], [], [(0, long)]),
      Self.change(1, .insert, [.text("c")]),
    ].compactMap(\.self)
    let pieces = ChangeLogCoding.encode(changes)
    #expect(pieces.count == 3)
    #expect(try pieces.flatMap(ChangeLogCoding.decode) == changes)
  }

  @Test func rowsInOneRunCostLittle() {
    let bytes = ChangeLogCoding.encode(Self.inserts(10_000)).joined().count
    #expect(bytes < 10_000 * 5)
  }

  @Test func aPieceThatIsCutIsDamagedOrShorter() throws {
    let piece = try #require(ChangeLogCoding.encode(Self.sample).first)
    for length in 0..<piece.count {
      do {
        let changes = try ChangeLogCoding.decode(Array(piece[..<length]))
        #expect(changes == Array(Self.sample[..<changes.count]) && changes.count < Self.sample.count)
      } catch let error as StoreError {
        #expect(error.code == .damaged)
      }
    }
  }

  @Test func aPieceWithAnyByteChangedIsReadWithinItsBounds() throws {
    let piece = try #require(ChangeLogCoding.encode(Self.sample).first)
    var random = SplitMix(state: 7)
    for place in piece.indices {
      for _ in 0..<16 {
        var changed = piece
        changed[place] = UInt8(truncatingIfNeeded: random.next())
        do {
          for change in try ChangeLogCoding.decode(changed) { #expect(change.id.bytes.count <= 512) }
        } catch let error as StoreError {
          #expect(error.code == .damaged || place == 0)
        }
      }
    }
  }

  @Test(
    arguments: [
      [1, 1], [1, 0, 1, 9], [1, 0, 1, 1, 0, 0], [1, 2, 1, 1, 0, 1, 7],
      [1, 0, 1, 1, 255, 255, 255, 255, 15, 0],
      [1, 0, 1, 1, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1],
      [1, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2], [1, 0, 1, 3, 0, 1, 7, 1, 1, 5],
      [1, 0, 1, 3, 0, 1, 7, 255, 255, 255, 127], [0], [],
    ] as [[UInt8]]) func impossiblePiecesAreDamaged(_ piece: [UInt8])
  {
    let error = #expect(throws: StoreError.self) { try ChangeLogCoding.decode(piece) }
    #expect(error?.code == .damaged)
  }

  @Test func aLaterLayoutIsTooNew() {
    let error = #expect(throws: StoreError.self) { try ChangeLogCoding.decode([2, 0]) }
    #expect(error?.code == .tooNew)
  }

  private func log() throws -> (Connection, ChangeLog) {
    let connection = try Connection.open(":memory:")
    try connection.execute(LocalTables.creation)
    return (connection, ChangeLog(connection))
  }

  @Test func theLogKeepsTransactionsInOrder() throws {
    let (_, log) = try log()
    #expect(try log.lastMoment == nil)
    #expect(try log.lastSeq == 0)
    try log.append(Self.sample, moment: Moment(raw: 5))
    try log.append([], moment: Moment(raw: 6))
    try log.append(Self.inserts(30_000), moment: Moment(raw: .max))
    #expect(try log.lastMoment == Moment(raw: .max))
    let rows = try log.read(after: 0, limit: 100)
    #expect(rows.map(\.seq) == (1...Int64(rows.count)).map { $0 })
    #expect(rows.map(\.moment.raw) == [5] + Array(repeating: .max, count: rows.count - 1))
    #expect(rows.first?.changes == Self.sample)
    #expect(rows.dropFirst().flatMap(\.changes) == Self.inserts(30_000))
    #expect(try log.read(after: 1, limit: 1).map(\.seq) == [2])
    #expect(try log.lastSeq == Int64(rows.count))
  }

  @Test func trimmingNeverLetsTheNumbersStartOver() throws {
    let (_, log) = try log()
    for number in 1...3 { try log.append(Self.inserts(1), moment: Moment(raw: UInt64(number))) }
    try log.trim(through: 1)
    #expect(try log.read(after: 0, limit: 10).map(\.seq) == [2, 3])
    try log.trim(through: 99)
    #expect(try log.read(after: 0, limit: 10).map(\.seq) == [3])
    try log.append(Self.inserts(1), moment: Moment(raw: 4))
    #expect(try log.lastSeq == 4)
  }

  @Test func aRolledBackAppendLeavesTheLogAsItWas() throws {
    let (connection, log) = try log()
    try log.append(Self.inserts(1), moment: Moment(raw: 1))
    try connection.execute("BEGIN")
    try log.append(Self.inserts(1), moment: Moment(raw: 2))
    try connection.execute("ROLLBACK")
    #expect(try log.lastSeq == 1)
    #expect(try log.lastMoment == Moment(raw: 1))
  }

  @Test func aForeignRowInTheLogIsDamage() throws {
    let (connection, log) = try log()
    try connection.execute("INSERT INTO tributary_change_log VALUES(1, 'x', 'y')")
    let error = #expect(throws: StoreError.self) { try log.read(after: 0, limit: 1) }
    #expect(error?.code == .damaged)
  }
}
