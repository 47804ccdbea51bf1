import Glibc

/// One row change, as the hook saw it. The keys and values are elsewhere, in order of arrival.
struct CaptureEntry {
  enum Operation: UInt8 {
    case insert, update, delete
    /// Touched by a trigger of the app while the engine applies.
    case watched
  }

  /// Changed fields by position: the first 64.
  var mask: UInt64 = 0
  var key: Int
  /// Where the image is, or the words of a wide mask after the first; -1 for nowhere.
  var image = -1
  var keyLength: UInt16
  /// The table's place among the captured ones.
  var table: UInt16
  var operation: Operation
}

/// All that the hook touches. It lives in plain memory at a fixed place, and its buffers stay over transactions.
struct CaptureContext {
  var mode = Capture.Mode.off
  var isUncertain = false
  var tables: UnsafeMutablePointer<CaptureTable>
  var tableCount: Int
  var last: UnsafeMutablePointer<CaptureTable>
  var entries: UnsafeMutablePointer<CaptureEntry>
  var count = 0
  var capacity: Int
  var keys = CaptureBytes(capacity: 1 << 16)
  var images = CaptureBytes(capacity: 1 << 16)
  var deleted = CaptureKeySet()
  var violation: CaptureViolation?
  /// Columns that statements may set in an update, as the authorizer was told; nil while nobody tells.
  var noted: Set<CaptureNote>?

  /// The usual number of entries that memory is kept for.
  private static let usual = 1 << 12

  init(tables: [CaptureTable]) {
    self.tables = .allocate(capacity: max(1, tables.count))
    self.tables.initialize(from: tables, count: tables.count)
    tableCount = tables.count
    last = self.tables
    entries = .allocate(capacity: Self.usual)
    capacity = Self.usual
  }

  func deallocate() {
    for table in UnsafeBufferPointer(start: tables, count: tableCount) { table.deallocate() }
    tables.deinitialize(count: tableCount)
    tables.deallocate()
    entries.deallocate()
    keys.deallocate()
    images.deallocate()
    deleted.deallocate()
  }

  /// The captured table with this name in the main database. Names are compared, since SQLite may give a new
  /// table the address of an old one's name.
  @inline(__always)
  mutating func table(
    _ schema: UnsafePointer<CChar>?, _ name: UnsafePointer<CChar>?
  ) -> UnsafeMutablePointer<CaptureTable>? {
    guard tableCount > 0, let schema, let name, Self.isMain(schema) else { return nil }
    if strcmp(name, last.pointee.name) == 0 { return last }
    return search(name)
  }

  /// Byte by byte, since this is asked for every row.
  @inline(__always)
  private static func isMain(_ name: UnsafePointer<CChar>) -> Bool {
    name[0] == 0x6D && name[1] == 0x61 && name[2] == 0x69 && name[3] == 0x6E && name[4] == 0
  }

  @inline(never)
  private mutating func search(_ name: UnsafePointer<CChar>) -> UnsafeMutablePointer<CaptureTable>? {
    for place in 0..<tableCount where strcmp(name, tables[place].name) == 0 {
      last = tables + place
      return last
    }
    return nil
  }

  @inline(__always)
  mutating func append(_ entry: CaptureEntry) {
    if count == capacity { grow() }
    (entries + count).initialize(to: entry)
    count &+= 1
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<CaptureEntry>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: entries, count: count)
    entries.deallocate()
    entries = larger
    capacity *= 2
  }

  /// Forgets the transaction. Images of tables that erase are overwritten.
  mutating func clear() {
    isUncertain = false
    count = 0
    keys.clear()
    images.wipe()
    deleted.clear()
    guard capacity > 1 << 18 else { return }
    entries.deallocate()
    entries = .allocate(capacity: Self.usual)
    capacity = Self.usual
  }

  /// Whether two entries are of one record.
  @inline(__always)
  func areSame(_ left: CaptureEntry, _ right: CaptureEntry) -> Bool {
    left.table == right.table && left.keyLength == right.keyLength
      && memcmp(keys.base + left.key, keys.base + right.key, Int(left.keyLength)) == 0
  }

  /// Notes what a rule refuses; only the first counts.
  @inline(never)
  mutating func refuse(_ table: UnsafeMutablePointer<CaptureTable>, _ column: String, _ problem: String) {
    guard violation == nil else { return }
    violation = CaptureViolation(table: table.pointee.shape.name, column: column, problem: problem)
  }
}

/// The records that were deleted in this transaction: a hash table of entries with open addressing.
struct CaptureKeySet {
  private var slots: UnsafeMutablePointer<(hash: UInt64, entry: Int)>
  private var capacity = 64
  private(set) var count = 0

  init() {
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: (0, -1), count: capacity)
  }

  func deallocate() { slots.deallocate() }

  mutating func clear() {
    guard count > 0 else { return }
    if capacity > 1 << 16 {
      slots.deallocate()
      self = CaptureKeySet()
    } else {
      slots.update(repeating: (0, -1), count: capacity)
      count = 0
    }
  }

  /// Adds an entry that is in the context already, or will be at this place.
  mutating func insert(_ entry: Int, _ context: UnsafeMutablePointer<CaptureContext>) {
    if (count &+ 1) &* 2 > capacity { grow() }
    let hash = Self.hash(context.pointee.entries[entry], context)
    let slot = find(hash, context.pointee.entries[entry], context)
    guard slots[slot].entry < 0 else { return }
    slots[slot] = (hash, entry)
    count &+= 1
  }

  /// Whether a record was deleted before.
  func contains(_ entry: CaptureEntry, _ context: UnsafeMutablePointer<CaptureContext>) -> Bool {
    guard count > 0 else { return false }
    return slots[find(Self.hash(entry, context), entry, context)].entry >= 0
  }

  private func find(_ hash: UInt64, _ entry: CaptureEntry, _ context: UnsafeMutablePointer<CaptureContext>)
    -> Int
  {
    let mask = capacity &- 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot].entry >= 0 {
      if slots[slot].hash == hash, context.pointee.areSame(context.pointee.entries[slots[slot].entry], entry)
      {
        return slot
      }
      slot = (slot &+ 1) & mask
    }
    return slot
  }

  private mutating func grow() {
    let old = (slots, capacity)
    capacity *= 2
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: (0, -1), count: capacity)
    for place in 0..<old.1 where old.0[place].entry >= 0 {
      var slot = Int(truncatingIfNeeded: old.0[place].hash) & (capacity - 1)
      while slots[slot].entry >= 0 { slot = (slot &+ 1) & (capacity - 1) }
      slots[slot] = old.0[place]
    }
    old.0.deallocate()
  }

  private static func hash(_ entry: CaptureEntry, _ context: UnsafeMutablePointer<CaptureContext>) -> UInt64 {
    let key = UnsafeRawPointer(context.pointee.keys.base + entry.key)
    let length = Int(entry.keyLength)
    var hash = UInt64(entry.table) &+ 0x9E37_79B9_7F4A_7C15
    var offset = 0
    while offset &+ 8 <= length {
      hash = mixed(hash ^ key.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset &+= 8
    }
    while offset < length {
      hash = mixed(hash ^ UInt64(key.load(fromByteOffset: offset, as: UInt8.self)))
      offset &+= 1
    }
    return hash
  }

  @inline(__always)
  private static func mixed(_ word: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }
}
