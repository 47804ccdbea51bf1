/// A field that the last writer wins: its value, the stamp of the edit, and what the value meant.
package struct Register: Hashable, Sendable {
  package var stamp: Stamp
  package var value: Value
  /// The schema version that wrote the value: meaning travels with the value, not with the file.
  package var schemaVersion: UInt32
  /// Under `.erases`, the insert that this edit belongs to; it dies with it. Nil when it is the edit's own
  /// stamp or when edits revive. Never later than `stamp`, and never earlier than the `root` of the value that the
  /// edit replaces.
  package var life: Stamp?

  package init(stamp: Stamp, value: Value, schemaVersion: UInt32 = 1, life: Stamp? = nil) {
    self.stamp = stamp
    self.value = value
    self.schemaVersion = schemaVersion
    self.life = life == stamp ? nil : life
  }

  /// The stamp that decides which deletes end this value.
  package var root: Stamp { life ?? stamp }

  /// The later of the two, that of the later life first: a value that a delete ends must never have beaten one that
  /// the delete leaves. Equal stamps carry equal content unless two devices share an identity: then content
  /// decides, so that all devices still agree.
  package func joined(_ other: Register) -> Register {
    if root != other.root { return root < other.root ? other : self }
    if stamp != other.stamp { return stamp < other.stamp ? other : self }
    if value != other.value { return value < other.value ? other : self }
    return schemaVersion < other.schemaVersion ? other : self
  }

  /// Whether the two claim one stamp with different content: a sign of a shared device identity.
  package func contradicts(_ other: Register) -> Bool {
    stamp == other.stamp && (value != other.value || schemaVersion != other.schemaVersion)
  }
}
