/// A synced column of one record, with its merge kind: a build that does not know the field still merges it.
package struct Field: Hashable, Sendable {
  /// What the field holds, by the way it merges.
  package enum Content: Hashable, Sendable {
    case register(Register)
    case counter(Counter)
    case set(ElementSet)
  }

  package var name: String
  package var content: Content

  package init(_ name: String, _ content: Content) {
    self.name = name
    self.content = content
  }

  /// A last-writer field.
  package init(_ name: String, _ register: Register) { self.init(name, .register(register)) }

  /// The latest edit of the field; nil for a counter of which nothing but an empty shell is known.
  package var stamp: Stamp? {
    switch content {
    case .register(let register): register.stamp
    case .counter(let counter): (counter.totals.map(\.stamp) + [counter.base?.stamp].compactMap(\.self)).max()
    case .set(let set): set.stamp
    }
  }

  /// The shown value. Sets have no single value; they are shown by whoever knows the column's form.
  package var value: Value {
    switch content {
    case .register(let register): register.value
    case .counter(let counter): counter.value
    case .set: .null
    }
  }

  package var register: Register? { if case .register(let register) = content { register } else { nil } }

  /// What the schema version of the field's writer was.
  package var schemaVersion: UInt32 {
    switch content {
    case .register(let register): register.schemaVersion
    case .counter(let counter): counter.base?.schemaVersion ?? 1
    case .set(let set): set.schemaVersion
    }
  }

  /// The way the field merges, as a number: 0 last writer, 1 counter, 2 set.
  package var kind: UInt8 {
    switch content {
    case .register: 0
    case .counter: 1
    case .set: 2
    }
  }

  /// The join of two states of one field; the states of two kinds do not meet, see ``RecordState/fields``.
  package func joined(_ other: Field) -> Field {
    switch (content, other.content) {
    case (.register(let a), .register(let b)): Field(name, .register(a.joined(b)))
    case (.counter(let a), .counter(let b)): Field(name, .counter(a.joined(b)))
    case (.set(let a), .set(let b)): Field(name, .set(a.joined(b)))
    default: kind < other.kind ? other : self
    }
  }

  /// Without what a delete ended; nil when nothing is left. Sets do not say which insert each part of them belongs
  /// to, so they have an end of their own.
  package func after(_ end: Stamp, set setEnd: Stamp) -> Field? {
    switch content {
    case .register(let register): register.root < end ? nil : self
    case .counter(let counter): counter.after(end).map { Field(name, .counter($0)) }
    case .set(let set): set.after(setEnd).map { Field(name, .set($0)) }
    }
  }

  /// The order of names in bytes, then of kinds.
  package func precedes(_ other: Field) -> Bool {
    name.isBefore(other.name) || (kind < other.kind && name.isSame(as: other.name))
  }
}
