import Glibc
import SQLite
import Testing
import TributaryModel
import TributaryStore

private typealias Change = (id: RecordID, clock: [UInt8]?)

@Suite struct ClockTableTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func readsWhatADictionaryWouldHold(seed: UInt64) throws {
    try withStore { path in
      var random = Seeded(seed: seed)
      var model: [Int64: [RecordID: [UInt8]]] = [1: [:], 7: [:]]
      for round in 0..<40 {
        let connection = try store(path)
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
    _ connection: Connection, _ type: Int64, _ expected: [RecordID: [UInt8]], _ random: inout Seeded,
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
    for block in try blocks(connection, type) where block.size > ClockBlock.limit {
      let single = try store(":memory:")
      try single.execute(
        "INSERT INTO tributary_clock VALUES(?1, ?2, ?3)",
        [.integer(type), .blob(block.lo), .blob(block.data)])
      #expect(try ClockTable(single).count(type: type) == 1, label)
    }
  }

  @Test func ascendingInsertsOneByOneFillTheirBlocksAndRewriteOnlyTheLast() throws {
    let connection = try store(":memory:")
    let table = ClockTable(connection)
    var random = Seeded(seed: 1)
    var before: [Block] = []
    for number in 0..<1_500 {
      let clock = random.bytes(12 + random.below(18))
      try table.write(type: 1, [(random.ulid(UInt64(number)), clock)])
      let after = try blocks(connection, 1)
      #expect(after.dropLast().starts(with: before.dropLast()), "only the last block may change")
      #expect(after.count <= before.count + 1)
      before = after
    }
    let full = before.dropLast()
    #expect(full.count > 20)
    let average = full.map(\.size).reduce(0, +) / max(1, full.count)
    #expect(average * 100 >= ClockBlock.limit * 70, "blocks of \(average) bytes on average")
  }

  @Test func ascendingInsertsInTheMiddleFillTheirBlocksToo() throws {
    let connection = try store(":memory:")
    let table = ClockTable(connection)
    try table.write(type: 1, [(RecordID(encoded: [0x20]), [1]), (RecordID(encoded: [0x50]), [2])])
    var random = Seeded(seed: 2)
    // The one block holds both ends at first; it is split once, and then grows by its end.
    for number in 0..<1_500 { try table.write(type: 1, [(random.ulid(UInt64(number)), random.bytes(20))]) }
    let sizes = try blocks(connection, 1).map(\.size)
    let average = sizes.reduce(0, +) / sizes.count
    #expect(average * 100 >= ClockBlock.limit * 45, "blocks of \(average) bytes on average")
  }

  @Test func recordsOfOneTransactionCostLittleMoreThanTheirIdentities() throws {
    for isShared in [true, false] {
      let connection = try store(":memory:")
      var random = Seeded(seed: 3)
      let clock = random.bytes(14)
      let changes: [Change] = (0..<20_000).map { number in
        (random.ulid(UInt64(number)), isShared ? clock : random.bytes(14))
      }
      try ClockTable(connection).write(type: 1, changes)
      let all = try blocks(connection, 1)
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
    let connection = try store(":memory:")
    let table = ClockTable(connection)
    var random = Seeded(seed: 4)
    let ids = (0..<5_000).map { random.ulid(UInt64($0)) }
    try table.write(type: 1, ids.map { ($0, random.bytes(14)) })
    let full = try blocks(connection, 1).count
    let gone = ids.enumerated().filter { $0.offset % 20 != 0 }.map(\.element)
    try table.write(type: 1, gone.map { ($0, nil) })
    #expect(try table.count(type: 1) == 250)
    #expect(try blocks(connection, 1).count * 5 < full)
    try table.write(type: 1, ids.map { ($0, nil) })
    #expect(try blocks(connection, 1).isEmpty)
  }

  @Test func aTypeIsRemovedAlone() throws {
    let connection = try store(":memory:")
    let table = ClockTable(connection)
    let id = RecordID(encoded: [0x30, 1])
    for type in [1, 2] as [Int64] { try table.write(type: type, [(id, [9])]) }
    try table.removeAll(type: 1)
    #expect(try table.read(type: 1, ids: [id]) == [nil])
    #expect(try table.read(type: 2, ids: [id]) == [[9]])
  }

  @Test func changesOutOfOrderAreRefused() throws {
    let table = ClockTable(try store(":memory:"))
    let changes: [Change] = [3, 2].map { (RecordID(encoded: [$0]), [1]) }
    #expect(throws: StoreError.self) { try table.write(type: 1, changes) }
    #expect(throws: StoreError.self) { try table.write(type: 1, [(RecordID(encoded: []), [1])]) }
  }
}

@Suite struct DamagedClockTests {
  @Test func everyCutAndEveryFlippedByteIsNoticed() throws {
    let connection = try sample()
    let block = try #require(try blocks(connection, 3).first)
    for length in 0..<block.data.count {
      try expectDamage(connection, block, Array(block.data.prefix(length)), "cut to \(length)")
    }
    for index in block.data.indices {
      for mask in [1, 0x80, 0xFF] as [UInt8] {
        var data = block.data
        data[index] ^= mask
        try expectDamage(connection, block, data, "byte \(index) ^ \(mask)")
      }
    }
    try expectDamage(connection, block, block.data + [0], "one byte more")
    try connection.execute("UPDATE tributary_clock SET data = ?1", [.blob(block.data)])
    try connection.execute("UPDATE tributary_clock SET lo = lo || x'00'", [])
    #expect(isDamaged { _ = try ClockTable(connection).count(type: 3) } == true)
  }

  @Test func aBlockOfAnotherLayoutIsNamed() throws {
    let connection = try sample()
    let block = try #require(try blocks(connection, 3).first)
    var data = block.data
    data[0] = 2
    try connection.execute("UPDATE tributary_clock SET data = ?1", [.blob(data)])
    let error = #expect(throws: StoreError.self) { try ClockTable(connection).count(type: 3) }
    let message = try #require(error?.message)
    #expect(message.contains("type 3") && message.contains("x'30") && message.contains("layout is 2"))
  }

  @Test func valuesThatAreNoBlobsAreNoticed() throws {
    for value in ["1", "'text'", "x''"] {
      let connection = try sample()
      try connection.execute("UPDATE tributary_clock SET data = \(value)")
      #expect(isDamaged { _ = try ClockTable(connection).count(type: 3) } == true, "data \(value)")
    }
  }

  /// With a checksum that fits, the reader's own bounds are all that is left: any outcome but a crash is right.
  @Test func aForgedBlockIsReadOrRefusedAndNeverCrashes() throws {
    let connection = try sample()
    let block = try #require(try blocks(connection, 3).first)
    var random = Seeded(seed: 5)
    var refused = 0
    for round in 0..<3_000 {
      var data = block.data
      for _ in 0...random.below(3) { data[5 + random.below(data.count - 5)] = UInt8(random.below(256)) }
      if random.below(3) == 0 { data.removeLast(random.below(data.count)) }
      ClockBlock.seal(&data, type: 3, lo: block.lo)
      try connection.execute("UPDATE tributary_clock SET data = ?1", [.blob(data)])
      let table = ClockTable(connection)
      let id = random.id()
      let outcome = isDamaged {
        _ = try table.count(type: 3)
        _ = try table.read(type: 3, ids: [id])
      }
      #expect(outcome != false, "round \(round)")
      if outcome == true { refused += 1 }
    }
    #expect(refused > 1_000)
  }

  @Test func aBlockThatReachesIntoTheNextIsNoticed() throws {
    let connection = try sample()
    var inner: [UInt8] = [ClockBlock.version, 0, 0, 0, 0, 1, 9]
    let lo = Array("0ab".utf8)
    ClockBlock.seal(&inner, type: 3, lo: lo)
    try connection.execute("INSERT INTO tributary_clock VALUES(3, ?1, ?2)", [.blob(lo), .blob(inner)])
    #expect(isDamaged { _ = try ClockTable(connection).count(type: 3) } == true)
    let first = RecordID(encoded: Array("0aa".utf8))
    #expect(isDamaged { try ClockTable(connection).write(type: 3, [(first, [1])]) } == true)
  }

  private func expectDamage(
    _ connection: Connection, _ block: Block, _ data: [UInt8], _ label: Comment
  ) throws {
    try connection.execute("UPDATE tributary_clock SET data = ?1", [.blob(data)])
    let table = ClockTable(connection)
    let id = RecordID(encoded: block.lo)
    #expect(isDamaged { _ = try table.count(type: 3) } == true, label)
    #expect(isDamaged { _ = try table.read(type: 3, ids: [id]) } == true, label)
    #expect(isDamaged { try table.forEach(type: 3) { _, _ in true } } == true, label)
    #expect(isDamaged { try table.write(type: 3, [(id, [1])]) } == true, label)
  }

  /// True for the error meant for damage, nil for no error, false for any other.
  private func isDamaged(_ body: () throws -> Void) -> Bool? {
    do {
      try body()
      return nil
    } catch {
      return (error as? StoreError)?.code == .damaged
    }
  }

  /// One small block.
  private func sample() throws -> Connection {
    let connection = try store(":memory:")
    let ids = ["0aa", "0ab1", "0ab2", "0ac", "0b", "0ba"].map { RecordID(encoded: Array($0.utf8)) }
    let clocks: [[UInt8]] = [[1, 2, 3], [1, 2, 3], [4], [4], [5, 6], Array(repeating: 7, count: 130)]
    try ClockTable(connection).write(type: 3, zip(ids, clocks).map { ($0, $1) })
    return connection
  }
}

@Suite struct ClockTableTimings {
  @Test(.enabled(if: getenv("TRIBUTARY_TIMINGS") != nil))
  func oneHundredThousandRecords() throws {
    try withStore { path in
      let connection = try store(path)
      let table = ClockTable(connection)
      var random = Seeded(seed: 6)
      let ids = (0..<100_000).map { random.ulid(UInt64($0)) }
      let same = random.bytes(14)
      func time(_ name: String, _ count: Int, _ body: () throws -> Void) throws {
        let clock = ContinuousClock()
        let duration = try clock.measure { try connection.transaction { try body() } }
        print("clocks: \(name):", duration / count, "a record")
      }
      let shared: [Change] = ids.map { ($0, same) }
      let distinct: [Change] = ids.map { ($0, random.bytes(14)) }
      let sparse = ids.enumerated().filter { $0.offset % 500 == 0 }.map(\.element)
      try time("bulk write, shared", ids.count) { try table.write(type: 1, shared) }
      try time("bulk write, distinct", ids.count) { try table.write(type: 2, distinct) }
      try time("rewrite, distinct", ids.count) { try table.write(type: 1, distinct) }
      try time("read all", ids.count) { _ = try table.read(type: 2, ids: ids) }
      try time("read 1 in 500", sparse.count) { _ = try table.read(type: 2, ids: sparse) }
      try time("write 1 in 500", sparse.count) { try table.write(type: 2, sparse.map { ($0, same) }) }
      try time("one by one", 10_000) {
        for change in distinct.prefix(10_000) { try table.write(type: 3, [change]) }
      }
      try time("remove 19 in 20", ids.count * 19 / 20) {
        try table.write(type: 1, ids.enumerated().filter { $0.offset % 20 != 0 }.map { ($0.element, nil) })
      }
      try time("count", ids.count) { _ = try table.count(type: 2) }
    }
  }
}

private struct Block: Equatable {
  let lo: [UInt8]
  let data: [UInt8]
  var size: Int { lo.count + data.count }
}

private func blocks(_ connection: Connection, _ type: Int64) throws -> [Block] {
  try connection.rows("SELECT lo, data FROM tributary_clock WHERE type = ?1 ORDER BY lo", [.integer(type)])
    .compactMap { row in
      guard case .blob(let lo) = row[0], case .blob(let data) = row[1] else { return nil }
      return Block(lo: lo, data: data)
    }
}

private func store(_ path: String) throws -> Connection {
  let connection = try Connection.open(path)
  if try connection.integer("SELECT count(*) FROM sqlite_master") == 0 {
    try connection.execute(LocalTables.creation)
  }
  return connection
}

/// A database file of its own, removed at the end.
private func withStore(_ body: (String) throws -> Void) throws {
  var template = Array("/tmp/clock-tests-XXXXXX".utf8CString)
  let made = mkdtemp(&template).map { String(cString: $0) }
  let directory = try #require(made)
  defer {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink("\(directory)/store\(suffix)") }
    rmdir(directory)
  }
  try body("\(directory)/store")
}

private struct Seeded: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }

  /// An identity with much in common with others, and sometimes a long one.
  mutating func id() -> RecordID {
    var bytes: [UInt8] = [0x30] + Array("group\(below(3))/".utf8)
    if below(30) == 0 { bytes += [UInt8](repeating: 0x61, count: 400) }
    for _ in 0...below(6) { bytes.append([0, 0x61, 0x62, 0xFF][below(4)]) }
    if below(2) == 0 { bytes += String(below(400)).utf8 }
    return RecordID(encoded: bytes)
  }

  mutating func clock() -> [UInt8] {
    switch below(40) {
    case 0: bytes(500 + below(2_000))
    case 1: []
    case 2...20: [1, 2, 3, UInt8(below(3))]
    default: bytes(12 + below(18))
    }
  }

  mutating func changes(known: [RecordID]) -> [(id: RecordID, clock: [UInt8]?)] {
    let size = [1, 1, 5, 50, 500][below(5)]
    let removing = [0, 10, 95][below(3)]
    var ids: Set<RecordID> = []
    for _ in 0..<size {
      let old = below(3) == 0 || removing > 50 ? known.randomElement(using: &self) : nil
      ids.insert(old ?? id())
    }
    return ids.sorted().map { ($0, below(100) < removing ? nil : clock()) }
  }

  /// 26 characters as in a ULID: ten for a time that ascends, sixteen at random.
  mutating func ulid(_ number: UInt64) -> RecordID {
    let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    let time = 1_750_000_000_000 + number * 37
    var bytes: [UInt8] = [0x30]
    for place in (0..<10).reversed() { bytes.append(digits[Int(time >> (5 * UInt64(place)) & 31)]) }
    for _ in 0..<16 { bytes.append(digits[below(32)]) }
    return RecordID(encoded: bytes)
  }
}
