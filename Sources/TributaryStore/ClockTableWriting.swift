import SQLite
package import TributaryModel

extension ClockTable {
  /// Sets, or with nil removes, the clocks of records.
  ///
  /// Only the blocks into which the changes fall are written, and a neighbour when removals leave a block small.
  /// - Parameter changes: Ascending, each identity once.
  package func write(type: Int64, _ changes: [(id: RecordID, clock: [UInt8]?)]) throws {
    guard !changes.isEmpty else { return }
    var writer = try ClockWriter(connection, type)
    var done = 0
    while done < changes.count { done = try writer.merge(changes, from: done) }
  }
}

/// Merges changes into one block after the other.
private struct ClockWriter {
  private let type: Int64
  private let scan: ClockScan
  private let before: Statement
  private let put: Statement
  private let delete: Statement
  private var builder: ClockBlockBuilder
  /// The last full block, kept back: what follows it may turn out so small that both are better halved.
  private var held: ClockBlock?
  /// Blocks as they are stored, to be replaced; what is left of these at the end is deleted.
  private var stale: [ClockBlock] = []

  init(_ connection: Connection, _ type: Int64) throws {
    self.type = type
    scan = try ClockScan(connection, type)
    before = try connection.cached(
      "SELECT lo FROM tributary_clock WHERE type = ?1 AND lo < ?2 ORDER BY lo DESC LIMIT 1")
    put = try connection.cached("REPLACE INTO tributary_clock(type, lo, data) VALUES(?1, ?2, ?3)")
    delete = try connection.cached("DELETE FROM tributary_clock WHERE type = ?1 AND lo = ?2")
    for statement in [before, put, delete] { try statement.bindInteger(1, type) }
    builder = ClockBlockBuilder(type: type)
  }

  /// Merges the changes that fall into one block; returns the index of the first one that does not.
  mutating func merge(_ changes: [(id: RecordID, clock: [UInt8]?)], from first: Int) throws -> Int {
    let (old, bound) = try load(changes[first].id.bytes)
    stale = old.map { [$0] } ?? []
    var reader = try old.map { try ClockBlockReader($0) }
    var hasOld = try reader?.next() ?? false
    var hasRemoved = false
    var index = first
    while index < changes.count {
      let id = changes[index].id.bytes
      if let bound, ByteOrder.compare(id, bound) >= 0 { break }
      while hasOld, let order = reader.map({ ByteOrder.compare($0.key, id) }) {
        if order > 0 { break }
        if order < 0 { try copy(reader) }
        hasOld = try reader?.next() ?? false
        if order == 0 { break }
      }
      if let clock = changes[index].clock { try add(id, clock) } else { hasRemoved = true }
      index += 1
    }
    let isAppending = !hasOld
    while hasOld {
      try copy(reader)
      hasOld = try reader?.next() ?? false
    }
    if let bound, let reader, ByteOrder.compare(reader.key, bound) >= 0 {
      throw reader.block.damaged("it reaches into the block after it")
    }
    try settle(isAppending: isAppending, hasRemoved: hasRemoved, bound: bound)
    return index
  }

  /// The block into which a key falls, and where the next one begins.
  private func load(_ key: [UInt8]) throws -> (block: ClockBlock?, bound: [UInt8]?) {
    defer { scan.reset() }
    guard let block = try scan.seek(key) else { return (nil, nil) }
    return (block, try scan.next()?.lo)
  }

  private mutating func copy(_ reader: ClockBlockReader?) throws {
    guard let reader else { return }
    let full = try reader.block.data.withUnsafeBytes {
      try builder.add(reader.key, UnsafeRawBufferPointer(rebasing: $0[reader.clock]))
    }
    if let full { try hold(full) }
  }

  private mutating func add(_ id: [UInt8], _ clock: [UInt8]) throws {
    guard (1...RecordID.maximumLength).contains(id.count), clock.count < 1 << 24 else {
      throw StoreError(
        .refusedValue,
        "A clock of record type \(type) cannot be kept: its identity has \(id.count) bytes, itself \(clock.count)."
      )
    }
    if let full = try clock.withUnsafeBytes({ try builder.add(id, $0) }) { try hold(full) }
  }

  private mutating func hold(_ block: ClockBlock) throws {
    if let held { try store(held) }
    held = block
  }

  /// Writes what is left after the changes of one block.
  ///
  /// Where the last change came after all that was there, more of the kind will come, so blocks are left full and the
  /// rest small. Elsewhere a small rest is evened out.
  private mutating func settle(isAppending: Bool, hasRemoved: Bool, bound: [UInt8]?) throws {
    if let last = builder.finish() {
      if let held {
        self.held = nil
        if !isAppending, last.size < ClockBlock.limit / 2 {
          try combine(held, last)
        } else {
          try store(held)
          try store(last)
        }
      } else if hasRemoved, last.size < ClockBlock.limit / 4, let neighbour = try neighbour(bound) {
        stale.append(neighbour)
        if bound == nil { try combine(neighbour, last) } else { try combine(last, neighbour) }
      } else {
        try store(last)
      }
    }
    for block in stale {
      try block.lo.withUnsafeBytes { try delete.bindBlob(2, $0) }
      try delete.run()
    }
  }

  /// The block after the current one or, at the end, the one before it.
  private func neighbour(_ bound: [UInt8]?) throws -> ClockBlock? {
    if let bound { return try load(bound).block }
    guard let lo = stale.first?.lo else { return nil }
    defer { before.reset() }
    try lo.withUnsafeBytes { try before.bindBlob(2, $0) }
    guard try before.step() else { return nil }
    return try load(Array(before.bytes(0))).block
  }

  /// Writes the records of two neighbours as one block or, if that is too small, as two of about the same size.
  private mutating func combine(_ left: ClockBlock, _ right: ClockBlock) throws {
    let total = left.size + right.size
    builder = ClockBlockBuilder(
      type: type, firstLimit: total <= ClockBlock.limit ? ClockBlock.limit : total / 2)
    for block in [left, right] {
      var reader = try ClockBlockReader(block)
      while try reader.next() { try copy(reader) }
    }
    if let held { try store(held) }
    held = nil
    if let last = builder.finish() { try store(last) }
  }

  private mutating func store(_ block: ClockBlock) throws {
    if let index = stale.firstIndex(where: { $0.lo == block.lo }) {
      if stale.remove(at: index).data == block.data { return }
    }
    try block.lo.withUnsafeBytes { try put.bindBlob(2, $0) }
    try block.data.withUnsafeBytes { try put.bindBlob(3, $0) }
    try put.run()
  }
}
