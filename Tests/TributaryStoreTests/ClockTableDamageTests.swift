import SQLite
import TestSupport
import Testing
import TributaryModel
import TributaryStore

@Suite struct DamagedClockTests {
  @Test func everyCutAndEveryFlippedByteIsNoticed() throws {
    let connection = try sample()
    let block = try #require(try clockBlocks(connection, 3).first)
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
    let block = try #require(try clockBlocks(connection, 3).first)
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
    let block = try #require(try clockBlocks(connection, 3).first)
    var random = Splitmix(seed: 5)
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
    _ connection: Connection, _ block: StoredClocks, _ data: [UInt8], _ label: Comment
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
    let connection = try clockStore(":memory:")
    let ids = ["0aa", "0ab1", "0ab2", "0ac", "0b", "0ba"].map { RecordID(encoded: Array($0.utf8)) }
    let clocks: [[UInt8]] = [[1, 2, 3], [1, 2, 3], [4], [4], [5, 6], Array(repeating: 7, count: 130)]
    try ClockTable(connection).write(type: 3, zip(ids, clocks).map { ($0, $1) })
    return connection
  }
}
