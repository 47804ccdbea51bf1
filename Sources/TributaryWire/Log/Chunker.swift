import TributaryCodec
import TributaryModel

/// How much goes into one file.
package struct FileLimits: Sendable {
  /// Bytes of the sealed file, before padding.
  package var sealed: Int
  /// Bytes before compression.
  package var plain: Int
  /// Entries.
  package var entries: Int

  /// Room is left below the format's own limits for what stands beside the blocks.
  package init(sealed: Int = 500 << 10, plain: Int = 7 << 20, entries: Int = WireLimit.entries) {
    self.sealed = sealed
    self.plain = plain
    self.entries = entries
  }
}

/// Gathers entries until a file is full, in memory bounded by the file's limits.
struct Chunker {
  private let limits: FileLimits
  private var pending: [WireEntry] = []
  private var pendingSize = 0
  private var pendingCells = 0
  /// The plain size to aim at; follows how well the last chunk compressed.
  private var target: Int

  init(_ limits: FileLimits) {
    self.limits = limits
    target = min(limits.plain, limits.sealed * 3 / 2)
  }

  /// Takes an entry in; the chunks that became full.
  mutating func add(_ entry: Entry) throws -> [[EncodedBlock]] {
    var chunks: [[EncodedBlock]] = []
    for row in try PieceCutter.cut(entry) {
      let (size, cells) = (Self.size(of: row), Self.cells(of: row))
      if !pending.isEmpty,
        pendingSize + size > target || pending.count >= limits.entries
          || pendingCells + cells > WireLimit.cells
      {
        chunks += try flush()
      }
      pending.append(row)
      pendingSize += size
      pendingCells += cells
    }
    return chunks
  }

  /// The chunks that are left.
  mutating func flush() throws -> [[EncodedBlock]] {
    guard !pending.isEmpty else { return [] }
    let rows = pending
    pending.removeAll(keepingCapacity: true)
    pendingSize = 0
    pendingCells = 0
    return try pack(rows[...])
  }

  private mutating func pack(_ rows: ArraySlice<WireEntry>) throws -> [[EncodedBlock]] {
    let blocks = try BlockEncoder.encode(Array(rows))
    let body = EncodedBody(blocks: blocks)
    if body.bytes.count <= limits.plain {
      let sealed = try body.sealedEstimate()
      if sealed <= limits.sealed {
        learn(rows, sealed: sealed)
        return [blocks]
      }
      learn(rows, sealed: sealed)
    }
    guard rows.count > 1 else { return try shatter(rows[rows.startIndex]) }
    let middle = rows.startIndex + rows.count / 2
    return try pack(rows[..<middle]) + pack(rows[middle...])
  }

  /// One entry that is too large although none of its values is: they travel in smaller pieces.
  private mutating func shatter(_ row: WireEntry) throws -> [[EncodedBlock]] {
    for limit in [16 << 10, 256] {
      let parts = try PieceCutter.cut(row.entry, limit: limit)
      guard parts.count > 1, row.pieces.isEmpty else { continue }
      return try pack(parts[...])
    }
    throw WireError(
      .tooLarge,
      "A record of \(row.entry.name.type) does not fit into one file. Store its large values as blob files.")
  }

  private mutating func learn(_ rows: ArraySlice<WireEntry>, sealed: Int) {
    let size = rows.reduce(0) { $0 + Self.size(of: $1) }
    guard size > 64 << 10 else { return }
    target = max(64 << 10, min(limits.plain, size / 100 * (limits.sealed * 95 / max(1, sealed))))
  }

  private static func size(of row: WireEntry) -> Int {
    var size = row.entry.name.id.bytes.count + 8
    for field in row.entry.change.fields { size += 4 + self.size(of: field) }
    for piece in row.pieces.values { size += piece.bytes.count + 16 }
    return size + 24 * row.entry.change.deletes.count
  }

  private static func size(of field: Field) -> Int {
    switch field.content {
    case .register(let register): size(of: register.value)
    case .counter(let counter): 16 * (1 + counter.totals.count)
    case .set(let set): set.marks.reduce(8) { $0 + 8 + size(of: $1.value) }
    }
  }

  private static func size(of value: Value) -> Int {
    switch value {
    case .text(let bytes), .blob(let bytes): bytes.count + 2
    case .null: 1
    case .integer, .real: 8
    }
  }

  private static func cells(of row: WireEntry) -> Int {
    row.entry.change.fields.reduce(1 + row.entry.change.deletes.count) { count, field in
      if case .set(let set) = field.content { return count + 1 + set.marks.count }
      return count + 1
    }
  }
}
