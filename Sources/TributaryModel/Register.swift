/// A field that the last writer wins: its value, the stamp of the edit, and what the value meant.
package struct Register: Hashable, Sendable {
  package var stamp: Stamp
  package var value: Value
  /// The schema version that wrote the value: meaning travels with the value, not with the file.
  package var schemaVersion: UInt32
  /// Under `.erases`, the insert that this edit belongs to; it dies with it. Nil when it is the edit's own
  /// stamp or when edits revive.
  package var life: Stamp?

  package init(stamp: Stamp, value: Value, schemaVersion: UInt32 = 1, life: Stamp? = nil) {
    self.stamp = stamp
    self.value = value
    self.schemaVersion = schemaVersion
    self.life = life
  }

  /// The stamp that decides which deletes end this value.
  package var root: Stamp { life ?? stamp }

  /// The later of the two. Equal stamps carry equal content unless two devices share an identity: then content
  /// decides, so that all devices still agree.
  package func joined(_ other: Register) -> Register {
    if stamp != other.stamp { return stamp < other.stamp ? other : self }
    if value != other.value { return value < other.value ? other : self }
    if schemaVersion != other.schemaVersion { return schemaVersion < other.schemaVersion ? other : self }
    return root < other.root ? other : self
  }

  /// Whether the two claim one stamp with different content: a sign of a shared device identity.
  package func contradicts(_ other: Register) -> Bool {
    stamp == other.stamp && (value != other.value || schemaVersion != other.schemaVersion)
  }
}
