package import SQLite
package import TributaryModel

/// The clocks of records: a sorted map from record type and identity to an opaque packed clock, in `tributary_clock`.
///
/// Neighbouring records are packed into blocks (``ClockBlock``). It keeps no state of its own: make one where it is
/// used, inside a transaction of the connection. A damaged block is a ``StoreError`` `.damaged` that names it.
///
/// - Reading: ``read(type:ids:)``, ``forEach(type:from:_:)``, ``count(type:)``
/// - Changing: ``write(type:_:)``, ``removeAll(type:)``
package struct ClockTable {
  let connection: Connection

  /// The clocks in this connection's store.
  package init(_ connection: Connection) { self.connection = connection }

  /// The clocks of these records, in the order asked for; nil where there is none.
  ///
  /// - Parameter ids: Ascending, each once. Cost grows with their number and the blocks that they fall into.
  package func read(type: Int64, ids: [RecordID]) throws -> [[UInt8]?] {
    guard !ids.isEmpty else { return [] }
    var walk = ClockWalk(try ClockScan(connection, type))
    defer { walk.scan.reset() }
    var clocks: [[UInt8]?] = []
    clocks.reserveCapacity(ids.count)
    for id in ids { clocks.append(try walk.clock(of: id)) }
    return clocks
  }

  /// Goes through the records of a type in order, beginning at `from`, until `body` returns false. `body` must not
  /// change clocks.
  package func forEach(
    type: Int64, from: RecordID? = nil, _ body: (RecordID, [UInt8]) throws -> Bool
  ) throws {
    let start = from?.bytes ?? []
    try forEachBlock(type, start) { reader in
      var place = 0..<0
      var clock: [UInt8] = []
      while try reader.next() {
        if ByteOrder.compare(reader.key, start) < 0 { continue }
        if place != reader.clock {
          place = reader.clock
          clock = Array(reader.block.data[place])
        }
        guard try body(RecordID(encoded: Array(reader.key)), clock) else { return false }
      }
      return true
    }
  }

  /// Number of records of a type, by reading all of them.
  package func count(type: Int64) throws -> Int {
    var count = 0
    try forEachBlock(type, []) { reader in
      while try reader.next() { count += 1 }
      return true
    }
    return count
  }

  /// Removes the clocks of a type.
  package func removeAll(type: Int64) throws {
    try connection.execute("DELETE FROM tributary_clock WHERE type = ?1", [.integer(type)])
  }

  private func forEachBlock(
    _ type: Int64, _ start: [UInt8], _ body: (inout ClockBlockReader) throws -> Bool
  ) throws {
    let scan = try ClockScan(connection, type)
    defer { scan.reset() }
    var block = try scan.seek(start)
    while let current = block {
      var reader = try ClockBlockReader(current)
      guard try body(&reader) else { return }
      block = try scan.next()
      if let block, ByteOrder.compare(reader.key, block.lo) >= 0 {
        throw current.damaged("it reaches into the block after it")
      }
    }
  }
}

/// Blocks of a type in order, from the one into which a key falls.
struct ClockScan {
  let type: Int64
  private let statement: Statement

  init(_ connection: Connection, _ type: Int64) throws {
    self.type = type
    statement = try connection.cached(
      """
      SELECT lo, data FROM tributary_clock WHERE type = ?1 AND lo >= coalesce(
        (SELECT lo FROM tributary_clock WHERE type = ?1 AND lo <= ?2 ORDER BY lo DESC LIMIT 1), ?2) ORDER BY lo
      """)
    try statement.bindInteger(1, type)
  }

  /// The block into which the key falls; the first, if the key is before it.
  func seek(_ key: [UInt8]) throws -> ClockBlock? {
    statement.reset()
    try key.withUnsafeBytes { try statement.bindBlob(2, $0) }
    return try next()
  }

  /// The block after the last one returned. Ask no more once it was nil.
  func next() throws -> ClockBlock? {
    guard try statement.step() else { return nil }
    let block = ClockBlock(type: type, lo: Array(statement.bytes(0)), data: Array(statement.bytes(1)))
    guard statement.columnType(0) == .blob, statement.columnType(1) == .blob else {
      throw block.damaged("it is not a blob")
    }
    return block
  }

  func reset() { statement.reset() }
}

/// Looks up ascending identities beside the blocks, decoding each at most once.
private struct ClockWalk {
  /// Blocks passed one by one before a new seek is cheaper.
  private static let patience = 4

  let scan: ClockScan
  private var reader: ClockBlockReader?
  /// Whether the reader stands on a record.
  private var isOnRecord = false
  /// The block after the reader's.
  private var ahead: ClockBlock?
  private var hasBegun = false
  /// The clock made last, and where it lies in the block: records that share it share the array.
  private var place = 0..<0
  private var bytes: [UInt8] = []

  init(_ scan: ClockScan) { self.scan = scan }

  mutating func clock(of id: RecordID) throws -> [UInt8]? {
    if !hasBegun {
      try seek(id)
    } else if let ahead, ByteOrder.compare(ahead.lo, id.bytes) <= 0 {
      try advance(id)
    }
    while isOnRecord {
      guard let order = reader.map({ ByteOrder.compare($0.key, id.bytes) }), order <= 0 else { return nil }
      if order == 0 { return currentClock() }
      isOnRecord = try reader?.next() ?? false
    }
    return nil
  }

  private mutating func currentClock() -> [UInt8]? {
    guard let reader else { return nil }
    if place != reader.clock {
      place = reader.clock
      bytes = Array(reader.block.data[place])
    }
    return bytes
  }

  private mutating func seek(_ id: RecordID) throws {
    hasBegun = true
    ahead = try scan.seek(id.bytes)
    guard let block = ahead, ByteOrder.compare(block.lo, id.bytes) <= 0 else { return }
    ahead = try scan.next()
    try enter(block)
  }

  private mutating func advance(_ id: RecordID) throws {
    var passed = 0
    var current: ClockBlock?
    while let block = ahead, ByteOrder.compare(block.lo, id.bytes) <= 0 {
      if passed == Self.patience { return try seek(id) }
      passed += 1
      current = block
      ahead = try scan.next()
    }
    if let current { try enter(current) }
  }

  private mutating func enter(_ block: ClockBlock) throws {
    var reader = try ClockBlockReader(block)
    isOnRecord = try reader.next()
    self.reader = reader
    place = 0..<0
    bytes = []
  }
}
