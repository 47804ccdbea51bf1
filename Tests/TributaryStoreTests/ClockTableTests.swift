import SQLite
import TestSupport
import Testing
import TributaryModel
import TributaryStore

@Suite struct ClockTableTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func readsWhatADictionaryWouldHold(seed: UInt64) throws {
    try withClockStore { path in
      var random = Splitmix(seed: seed)
      var model: [Int64: [RecordID: [UInt8]]] = [1: [:], 7: [:]]
      for round in 0..<40 {
        let connection = try clockStore(path)
        let type: Int64 = random.below(4) == 0 ? 7 : 1
        let changes = random.changes(known: Array((model[type] ?? [:]).keys))
        try connection.transaction { try ClockTable(connection).write(type: type, changes) }
        for change in changes { model[type]?[change.id] = change.clock }
        for (type, expected) in model {
          try check(connection, type, expected, &random, "seed \(seed), round \(round), type \(type)")
        }
        connection.close()
      }
    }
  }

  private func check(
    _ connection: Connection, _ type: Int64, _ expected: [RecordID: [UInt8]], _ random: inout Splitmix,
    _ label: Comment
  ) throws {
    let table = ClockTable(connection)
    let sorted = expected.sorted { $0.key < $1.key }
    var seen: [(RecordID, [UInt8])] = []
    try table.forEach(type: type) { id, clock in
      seen.append((id, clock))
      return true
    }
    #expect(seen.map(\.0) == sorted.map(\.key), label)
    #expect(seen.map(\.1) == sorted.map(\.value), label)
    #expect(try table.count(type: type) == sorted.count, label)
    var asked = Set((0..<20).map { _ in random.id() })
    let share = 1 + random.below(40)
    for (id, _) in sorted where random.below(share) == 0 { asked.insert(id) }
    let ids = asked.sorted()
    #expect(try table.read(type: type, ids: ids) == ids.map { expected[$0] }, label)
    if let start = ids.randomElement(using: &random) {
      var first: RecordID?
      try table.forEach(type: type, from: start) { id, _ in
        first = id
        return false
      }
      #expect(first == sorted.first { $0.key >= start }?.key, label)
    }
    try checkBlocks(connection, type, label)
  }

  /// No block is larger than it may be, unless it is one record's.
  private func checkBlocks(_ connection: Connection, _ type: Int64, _ label: Comment) throws {
    for block in try clockBlocks(connection, type) where block.size > ClockBlock.limit {
      let single = try clockStore(":memory:")
      try single.execute(
        "INSERT INTO tributary_clock VALUES(?1, ?2, ?3)",
        [.integer(type), .blob(block.lo), .blob(block.data)])
      #expect(try ClockTable(single).count(type: type) == 1, label)
    }
  }

  @Test func ascendingInsertsOneByOneFillTheirBlocksAndRewriteOnlyTheLast() throws {
    let connection = try clockStore(":memory:")
    let table = ClockTable(connection)
    var random = Splitmix(seed: 1)
    var before: [StoredClocks] = []
    for number in 0..<1_500 {
      let clock = random.bytes(12 + random.below(18))
      try table.write(type: 1, [(random.ulid(UInt64(number)), clock)])
      let after = try clockBlocks(connection, 1)
      #expect(after.dropLast().starts(with: before.dropLast()), "only the last block may change")
      #expect(after.count <= before.count + 1)
      before = after
    }
    let full = before.dropLast()
    #expect(full.count > 20)
    let average = full.map(\.size).reduce(0, +) / max(1, full.count)
    #expect(average * 100 >= ClockBlock.limit * 70, "blocks of \(average) bytes on average")
  }

  @Test func ascendingInsertsBeforeOtherRecordsLeaveBlocksAboutHalfFull() throws {
    let connection = try clockStore(":memory:")
    let table = ClockTable(connection)
    try table.write(type: 1, [(RecordID(encoded: [0x20]), [1]), (RecordID(encoded: [0x50]), [2])])
    var random = Splitmix(seed: 2)
    for number in 0..<1_500 { try table.write(type: 1, [(random.ulid(UInt64(number)), random.bytes(20))]) }
    let sizes = try clockBlocks(connection, 1).map(\.size)
    let average = sizes.reduce(0, +) / sizes.count
    #expect(average * 100 >= ClockBlock.limit * 45, "blocks of \(average) bytes on average")
  }

  @Test func recordsOfOneTransactionCostLittleMoreThanTheirIdentities() throws {
    for isShared in [true, false] {
      let connection = try clockStore(":memory:")
      var random = Splitmix(seed: 3)
      let clock = random.bytes(14)
      let changes: [ClockChange] = (0..<20_000).map { number in
        (random.ulid(UInt64(number)), isShared ? clock : random.bytes(14))
      }
      try ClockTable(connection).write(type: 1, changes)
      let all = try clockBlocks(connection, 1)
      let bytes = Double(all.map(\.size).reduce(0, +)) / Double(changes.count)
      let pages = try #require(try connection.integer("PRAGMA page_count"))
      print(
        "clocks: \(isShared ? "shared" : "distinct") stamps: \(bytes) bytes a record in",
        "\(all.count) blocks, \(Double(pages * 4096) / Double(changes.count)) in pages")
      #expect(bytes < (isShared ? 22 : 37))
      #expect(all.map(\.size).reduce(0, +) * 100 >= all.count * ClockBlock.limit * 90)
    }
  }

  @Test func blocksThatRemovalsLeaveSmallAreJoined() throws {
    let connection = try clockStore(":memory:")
    let table = ClockTable(connection)
    var random = Splitmix(seed: 4)
    let ids = (0..<5_000).map { random.ulid(UInt64($0)) }
    try table.write(type: 1, ids.map { ($0, random.bytes(14)) })
    let full = try clockBlocks(connection, 1).count
    let gone = ids.enumerated().filter { $0.offset % 20 != 0 }.map(\.element)
    try table.write(type: 1, gone.map { ($0, nil) })
    #expect(try table.count(type: 1) == 250)
    #expect(try clockBlocks(connection, 1).count * 5 < full)
    try table.write(type: 1, ids.map { ($0, nil) })
    #expect(try clockBlocks(connection, 1).isEmpty)
  }

  @Test func aTypeIsRemovedAlone() throws {
    let connection = try clockStore(":memory:")
    let table = ClockTable(connection)
    let id = RecordID(encoded: [0x30, 1])
    for type in [1, 2] as [Int64] { try table.write(type: type, [(id, [9])]) }
    try table.removeAll(type: 1)
    #expect(try table.read(type: 1, ids: [id]) == [nil])
    #expect(try table.read(type: 2, ids: [id]) == [[9]])
  }

  @Test func changesOutOfOrderAreRefused() throws {
    let table = ClockTable(try clockStore(":memory:"))
    let changes: [ClockChange] = [3, 2].map { (RecordID(encoded: [$0]), [1]) }
    #expect(throws: StoreError.self) { try table.write(type: 1, changes) }
    #expect(throws: StoreError.self) { try table.write(type: 1, [(RecordID(encoded: []), [1])]) }
  }
}
