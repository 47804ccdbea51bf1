/// All that is known of one record, or a part of it: entries, snapshots and the local state are all this one type,
/// and reading any of them is one join. The join is commutative, associative and idempotent.
package struct RecordState: Hashable, Sendable {
  /// The stamp of the latest insert that is known.
  package var born: Stamp?
  /// The deletes that still decide something, in the order of stamps.
  package private(set) var deletes: [Delete]
  /// In the order of names.
  package private(set) var fields: [Field]

  /// Fields and deletes in any order, each name and stamp once.
  package init(born: Stamp? = nil, deletes: [Delete] = [], fields: [Field] = []) {
    self.born = born
    self.deletes = deletes.count > 1 ? deletes.sorted { $0.stamp < $1.stamp } : deletes
    self.fields = fields.isSortedByName ? fields : fields.sorted { $0.name.isBefore($1.name) }
    if !deletes.isEmpty { settle() }
  }

  /// Nothing known at all.
  package var isEmpty: Bool { born == nil && deletes.isEmpty && fields.isEmpty }

  package subscript(name: String) -> Field? {
    get { position(of: name).found ? fields[position(of: name).index] : nil }
    set {
      let (index, found) = position(of: name)
      switch (newValue, found) {
      case (let field?, true): fields[index] = field
      case (let field?, false): fields.insert(field, at: index)
      case (nil, true): fields.remove(at: index)
      case (nil, false): break
      }
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

  /// Whether the record is inserted and some edit is later than every delete for which `isUndone` is false.
  package func isVisible(undone isUndone: (Delete) -> Bool = { _ in false }) -> Bool {
    guard born != nil, let latestEdit else { return false }
    guard let delete = deletes.last(where: { !isUndone($0) }) else { return true }
    return latestEdit > delete.stamp
  }

  private func position(of name: String) -> (index: Int, found: Bool) {
    var low = 0
    var high = fields.count
    while low < high {
      let middle = (low + high) / 2
      if fields[middle].name == name { return (middle, true) }
      if fields[middle].name.isBefore(name) { low = middle + 1 } else { high = middle }
    }
    return (low, false)
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
      let (index, found) = position(of: field.name)
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
  /// latest insert only the last is kept. The deletes after it are all kept, since a later insert may fall
  /// between two of them.
  private mutating func settle() {
    let floor = born.flatMap { born in deletes.last { $0.stamp < born }?.stamp }
    if let floor { deletes.removeAll { $0.stamp < floor } }
    let erased = deletes.last { $0.erases }?.stamp
    guard let end = [floor, erased].compactMap(\.self).max() else { return }
    fields = fields.compactMap { $0.ended(before: end) }
  }
}

extension Field {
  /// Without what a delete at `end` ended; nil when nothing is left.
  fileprivate func ended(before end: Stamp) -> Field? {
    switch content {
    case .register(let register): return register.root < end ? nil : self
    case .set(let set): return set.after(end).map { Field(name, .set($0)) }
    case .counter(var counter):
      if let base = counter.base, base.root < end { counter.base = nil }
      counter.totals.removeAll { $0.base < end }
      return counter.base == nil && counter.totals.isEmpty ? nil : Field(name, .counter(counter))
    }
  }
}

extension String {
  /// Byte order, the same on every platform.
  package func isBefore(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

extension [Field] {
  fileprivate var isSortedByName: Bool {
    for index in indices.dropFirst() where !self[index - 1].name.isBefore(self[index].name) { return false }
    return true
  }
}
