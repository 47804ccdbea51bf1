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

  /// Of two claims to one stamp, the one that all devices prefer: content decides.
  package func joined(_ other: Delete) -> Delete {
    if erases != other.erases { return erases ? self : other }
    switch (cause, other.cause) {
    case (nil, _): return self
    case (_, nil): return other
    case (let mine?, let theirs?): return theirs < mine ? other : self
    }
  }
}
