import Glibc
import TributaryModel

/// Makes one change a record of all that the hook noted: sorts by record, then looks at the first and the last
/// operation of each.
struct CaptureCollapse {
  /// Sorts almost always without a look at the key itself.
  private struct Handle {
    /// The table's place and the first byte of the key.
    var head: UInt32
    var entry: UInt32
    /// The next eight bytes of the key.
    var prefix: UInt64
  }

  private let context: UnsafeMutablePointer<CaptureContext>
  /// The order of the entries; nil when they are in order as they came.
  private let handles: UnsafeMutableBufferPointer<Handle>?
  private let count: Int
  private var lastMask: (table: UInt16, mask: UInt64, fields: FieldMask)?

  /// Of the entries that `.watching` made, or of the others.
  init(_ context: UnsafeMutablePointer<CaptureContext>, watched: Bool) {
    self.context = context
    guard watched || !Self.isInOrder(context) else {
      count = context.pointee.count
      handles = nil
      return
    }
    let handles = UnsafeMutableBufferPointer<Handle>.allocate(capacity: max(1, context.pointee.count))
    var used = 0
    for place in 0..<context.pointee.count
    where (context.pointee.entries[place].operation == .watched) == watched {
      handles[used] = Self.handle(context, place)
      used &+= 1
    }
    count = used
    self.handles = handles
    var range = UnsafeMutableBufferPointer(rebasing: handles[..<used])
    range.sort { Self.isLess(context, $0, $1) }
  }

  func deallocate() { handles?.deallocate() }

  /// Rows mostly change in the order of their keys. Nothing but records may be among the entries then.
  private static func isInOrder(_ context: UnsafeMutablePointer<CaptureContext>) -> Bool {
    let entries = context.pointee.entries
    for place in 0..<context.pointee.count {
      if entries[place].operation == .watched { return false }
      guard place > 0 else { continue }
      let (left, right) = (entries[place &- 1], entries[place])
      if left.table > right.table { return false }
      if left.table == right.table, compareKeys(context, left, right) > 0 { return false }
    }
    return true
  }

  private static func handle(_ context: UnsafeMutablePointer<CaptureContext>, _ place: Int) -> Handle {
    let entry = context.pointee.entries[place]
    let key = UnsafeRawPointer(context.pointee.keys.base + entry.key)
    let length = Int(entry.keyLength)
    var prefix: UInt64 = 0
    if length >= 9 {
      prefix = UInt64(bigEndian: key.loadUnaligned(fromByteOffset: 1, as: UInt64.self))
    } else {
      for offset in 1..<9 {
        let byte = offset < length ? key.load(fromByteOffset: offset, as: UInt8.self) : 0
        prefix = prefix << 8 | UInt64(byte)
      }
    }
    return Handle(
      head: UInt32(entry.table) << 8 | UInt32(key.load(as: UInt8.self)),
      entry: UInt32(truncatingIfNeeded: place), prefix: prefix)
  }

  @inline(__always)
  private static func isLess(
    _ context: UnsafeMutablePointer<CaptureContext>, _ left: Handle, _ right: Handle
  ) -> Bool {
    if left.head != right.head { return left.head < right.head }
    if left.prefix != right.prefix { return left.prefix < right.prefix }
    let entries = context.pointee.entries
    let order = compareKeys(context, entries[Int(left.entry)], entries[Int(right.entry)])
    return order == 0 ? left.entry < right.entry : order < 0
  }

  @inline(__always)
  private static func compareKeys(
    _ context: UnsafeMutablePointer<CaptureContext>, _ left: CaptureEntry, _ right: CaptureEntry
  ) -> Int {
    let length = Int(min(left.keyLength, right.keyLength))
    let keys = context.pointee.keys.base
    let order = memcmp(keys + left.key, keys + right.key, length)
    return order == 0 ? Int(left.keyLength) &- Int(right.keyLength) : Int(order)
  }

  @inline(__always)
  private func entry(_ place: Int) -> CaptureEntry {
    guard let handles else { return context.pointee.entries[place] }
    return context.pointee.entries[Int(handles[place].entry)]
  }

  /// Where the entries of one record end, which begin at `start`.
  @inline(__always)
  private func end(_ start: Int) -> Int {
    var end = start &+ 1
    while end < count, context.pointee.areSame(entry(start), entry(end)) { end &+= 1 }
    return end
  }

  private func table(_ entry: CaptureEntry) -> UnsafeMutablePointer<CaptureTable> {
    context.pointee.tables + Int(entry.table)
  }

  private func id(_ entry: CaptureEntry) -> RecordID {
    let bytes = UnsafeRawBufferPointer(
      start: context.pointee.keys.base + entry.key, count: Int(entry.keyLength))
    return RecordID(encoded: [UInt8](bytes))
  }

  /// Every record, once.
  func touched() -> [(type: Int64, id: RecordID)] {
    var touched: [(type: Int64, id: RecordID)] = []
    touched.reserveCapacity(count)
    var start = 0
    while start < count {
      touched.append((table(entry(start)).pointee.type, id(entry(start))))
      start = end(start)
    }
    return touched
  }

  /// The changes that remain.
  mutating func changes() -> [LocalChange] {
    var changes: [LocalChange] = []
    changes.reserveCapacity(count)
    var start = 0
    while let (entry, kind, fields) = next(&start) {
      changes.append(
        LocalChange(
          type: table(entry).pointee.type, id: id(entry), kind: kind, fields: fields,
          image: kind == .delete ? image(entry) : []))
    }
    return changes
  }

  /// The changes that remain, packed for the change log without making any of them, and the types that they are of.
  mutating func packed() -> (pieces: [[UInt8]], types: [Int64]) {
    var writer = ChangeLogWriter()
    defer { writer.deallocate() }
    var types: [Int64] = []
    var start = 0
    while let (entry, kind, fields) = next(&start) {
      let type = table(entry).pointee.type
      if types.last != type { types.append(type) }
      let key = UnsafeRawBufferPointer(
        start: context.pointee.keys.base + entry.key, count: Int(entry.keyLength))
      writer.append(type, key, kind, fields, kind == .delete ? image(entry) : [])
    }
    return (writer.finish(), types)
  }

  /// The next change, with its last entry, of the records from `start` on, which moves past it.
  @inline(__always)
  private mutating func next(_ start: inout Int) -> (CaptureEntry, LocalChange.Kind, FieldMask)? {
    while start < count {
      let first = entry(start)
      let place = start
      start = end(place)
      let last = entry(start &- 1)
      if first.operation == .insert {
        if last.operation == .delete { continue }
        return (last, .insert, FieldMask())
      }
      let fields = changedFields(place, start)
      if last.operation == .delete { return (last, .delete, fields) }
      if !fields.isEmpty { return (last, .update, fields) }
    }
    return nil
  }

  /// The fields that updates changed, and those in which a deleted row and the one in its place differ.
  private mutating func changedFields(_ start: Int, _ end: Int) -> FieldMask {
    if end == start &+ 1 { return mask(entry(start)) }
    var fields = FieldMask()
    var deleted: CaptureEntry?
    for place in start..<end {
      let entry = entry(place)
      switch entry.operation {
      case .update: fields.formUnion(mask(entry))
      case .delete: deleted = entry
      case .insert: if let deleted { fields.formUnion(difference(deleted, entry)) }
      case .watched: break
      }
    }
    return fields
  }

  private mutating func mask(_ entry: CaptureEntry) -> FieldMask {
    guard entry.operation == .update else { return FieldMask() }
    if entry.image < 0, let lastMask, lastMask.table == entry.table, lastMask.mask == entry.mask {
      return lastMask.fields
    }
    let further = entry.image < 0 ? nil : UnsafeRawPointer(context.pointee.images.base + entry.image)
    let fields = table(entry).pointee.fields(entry.mask, further)
    if entry.image < 0 { lastMask = (entry.table, entry.mask, fields) }
    return fields
  }

  private func difference(_ deleted: CaptureEntry, _ inserted: CaptureEntry) -> FieldMask {
    var fields = FieldMask()
    var old = UnsafeRawPointer(context.pointee.images.base + deleted.image)
    var new = UnsafeRawPointer(context.pointee.images.base + inserted.image)
    for field in table(deleted).pointee.shape.fields {
      if !CaptureImage.areEqual(old, new) { fields.insert(field.field) }
      old += CaptureImage.length(old)
      new += CaptureImage.length(new)
    }
    return fields
  }

  private func image(_ entry: CaptureEntry) -> [(field: Int, value: Value)] {
    guard !table(entry).pointee.erases else { return [] }
    var place = UnsafeRawPointer(context.pointee.images.base + entry.image)
    return table(entry).pointee.shape.fields.map { field in
      defer { place += CaptureImage.length(place) }
      return (field.field, CaptureImage.value(place))
    }
  }
}

extension CaptureContext {
  /// Removes what `.watching` noted.
  mutating func dropWatched() {
    var kept = 0
    for place in 0..<count where entries[place].operation != .watched {
      entries[kept] = entries[place]
      kept &+= 1
    }
    count = kept
    if kept == 0 { clear() }
  }
}
