/// All that is known of one record, or a part of it: entries, snapshots and the local state are all this one type,
/// and reading any of them is one join. The join is commutative, associative and idempotent.
package struct RecordState: Hashable, Sendable {
  /// The stamp of the latest insert that is known.
  package var born: Stamp?
  /// The deletes that still decide something, in the order of stamps.
  package private(set) var deletes: [Delete]
  /// In the order of names. A name is here once for each kind of merge that some build gave it: never twice, unless
  /// builds break the additive rule. Then the kinds are kept apart, for only so does the order of joins not matter.
  package private(set) var fields: [Field]

  /// Fields and deletes in any order, each name (with its kind) and stamp once.
  package init(born: Stamp? = nil, deletes: [Delete] = [], fields: [Field] = []) {
    self.born = born
    self.deletes = deletes.count > 1 ? deletes.sorted { $0.stamp < $1.stamp } : deletes
    self.fields = fields.isSorted ? fields : fields.sorted { $0.precedes($1) }
    if !deletes.isEmpty { settle() }
  }

  /// Nothing known at all.
  package var isEmpty: Bool { born == nil && deletes.isEmpty && fields.isEmpty }

  /// The field of a name; of several kinds, the one with the latest edit. Setting one leaves other kinds be; setting
  /// nil removes them all.
  package subscript(name: String) -> Field? {
    get {
      var index = position(of: name, kind: 0).index
      var found: Field?
      while index < fields.count, fields[index].name.isSame(as: name) {
        if found.map({ Self.isEarlier($0, than: fields[index]) }) ?? true { found = fields[index] }
        index += 1
      }
      return found
    }
    set {
      guard let field = newValue else { return fields.removeAll { $0.name.isSame(as: name) } }
      let (index, found) = position(of: name, kind: field.kind)
      if found { fields[index] = field } else { fields.insert(field, at: index) }
    }
  }

  /// The latest edit of any kind, deletes aside.
  package var latestEdit: Stamp? {
    var latest = born
    for field in fields {
      if let stamp = field.stamp, latest.map({ $0 < stamp }) ?? true { latest = stamp }
    }
    return latest
  }

  /// The latest delete that counts.
  package var latestDelete: Stamp? { deletes.last?.stamp }

  /// Whether the record is inserted and some edit is later than every delete for which `isUndone` is false. After a
  /// delete that erases only an insert counts.
  package func isVisible(undone isUndone: (Delete) -> Bool = { _ in false }) -> Bool {
    guard let born, let latestEdit else { return false }
    guard let delete = deletes.last(where: { !isUndone($0) }) else { return true }
    let erased = deletes.last { $0.erases && !isUndone($0) }?.stamp
    return latestEdit > delete.stamp && (erased.map { $0 < born } ?? true)
  }

  private static func isEarlier(_ left: Field, than right: Field) -> Bool {
    guard let theirs = right.stamp else { return false }
    return left.stamp.map { $0 <= theirs } ?? true
  }

  private func position(of name: String, kind: UInt8) -> (index: Int, found: Bool) {
    var low = 0
    var high = fields.count
    while low < high {
      let middle = (low + high) / 2
      if fields[middle].name.isBefore(name) {
        low = middle + 1
      } else if fields[middle].name.isSame(as: name), fields[middle].kind < kind {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return (low, low < fields.count && fields[low].kind == kind && fields[low].name.isSame(as: name))
  }
}

extension RecordState {
  /// Takes in what another state knows.
  package mutating func join(_ other: RecordState) {
    if let theirs = other.born { born = born.map { max($0, theirs) } ?? theirs }
    joinFields(other.fields)
    joinDeletes(other.deletes)
    if !deletes.isEmpty { settle() }
  }

  package func joined(_ other: RecordState) -> RecordState {
    var copy = self
    copy.join(other)
    return copy
  }

  private mutating func joinFields(_ others: [Field]) {
    for field in others {
      let (index, found) = position(of: field.name, kind: field.kind)
      if found { fields[index] = fields[index].joined(field) } else { fields.insert(field, at: index) }
    }
  }

  private mutating func joinDeletes(_ others: [Delete]) {
    for delete in others {
      let index = deletes.firstIndex { $0.stamp >= delete.stamp } ?? deletes.count
      if index < deletes.count, deletes[index].stamp == delete.stamp {
        deletes[index] = deletes[index].joined(delete)
      } else {
        deletes.insert(delete, at: index)
      }
    }
  }

  /// Brings the state to its one canonical form: fields that a delete ended are gone, and of the deletes before the
  /// latest insert only the last is kept, which erases if one before it did. The deletes after the insert are all
  /// kept, since a later insert may fall between two of them.
  private mutating func settle() {
    let floor = born.flatMap { born in deletes.lastIndex { $0.stamp < born } }
    if let floor, floor > 0 {
      if deletes[..<floor].contains(where: \.erases) { deletes[floor].erases = true }
      deletes.removeFirst(floor)
    }
    let ends = [floor == nil ? nil : deletes.first?.stamp, deletes.last { $0.erases }?.stamp]
    guard let end = ends.compactMap(\.self).max() else { return }
    // A set's parts do not name their insert: after a delete that erased, those before the insert are not of its life.
    let isNewLife = floor != nil && deletes[0].erases
    let setEnd = isNewLife ? max(end, born ?? end) : end
    fields = fields.compactMap { $0.after(end, set: setEnd) }
  }
}

extension String {
  /// Byte order, the same on every platform.
  package func isBefore(_ other: String) -> Bool { byteOrder(other) < 0 }

  /// Equality of bytes: to `==`, "\u{e9}" and "e\u{301}" are equal, to SQLite they are two names.
  package func isSame(as other: String) -> Bool {
    utf8.count == other.utf8.count && byteOrder(other) == 0
  }

  /// Less than, equal to or greater than zero, as the bytes come before, with or after the other's.
  private func byteOrder(_ other: String) -> Int {
    let order = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        ByteOrder.compare(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
      }
    }
    if case .some(.some(let order)) = order { return order }
    // Only a string that came from Objective-C has no bytes of its own.
    return utf8.elementsEqual(other.utf8) ? 0 : utf8.lexicographicallyPrecedes(other.utf8) ? -1 : 1
  }
}

extension [Field] {
  fileprivate var isSorted: Bool {
    for index in indices.dropFirst() where !self[index - 1].precedes(self[index]) { return false }
    return true
  }
}
