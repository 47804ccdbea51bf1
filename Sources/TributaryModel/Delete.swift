/// One delete of a record.
package struct Delete: Hashable, Sendable {
  package var stamp: Stamp
  /// Whether it ends every field of the lives before it (`onDelete: .erases`), or an edit after it revives.
  package var erases: Bool
  /// The record whose delete this one followed from, for a cascade: undone with it.
  package var cause: RecordName?

  package init(stamp: Stamp, erases: Bool = false, cause: RecordName? = nil) {
    self.stamp = stamp
    self.erases = erases
    self.cause = cause
  }

  /// Of two claims to one stamp, what all devices agree on: each part decides by content, apart from the other.
  package func joined(_ other: Delete) -> Delete {
    Delete(stamp: stamp, erases: erases || other.erases, cause: earlier(cause, other.cause))
  }

  private func earlier(_ left: RecordName?, _ right: RecordName?) -> RecordName? {
    if let left, let right { min(left, right) } else { nil }
  }
}
