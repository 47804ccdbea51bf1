import CSQLite
import TributaryModel

/// A column as the hook needs it: plain numbers only. Fields of a table come first, then its key.
struct CaptureColumn {
  /// Where `sqlite3_preupdate_old` finds it, and `sqlite3_preupdate_new` in an insert and in an update.
  var oldIndex: Int32
  var insertIndex: Int32
  var updateIndex: Int32
  /// Integers read here are reals to SQL.
  var isReal: Bool
  /// Whole reals never stay reals here.
  var isIntegral: Bool
  /// SQLite's hook may hand out a stored integer as a real.
  var isMisread: Bool
  /// A NULL of an old row may stand for a default that cannot be told from NULL.
  var hasAmbiguousNull = false
  /// An old NULL stands for this default, in the form of an image; nil when NULL is NULL.
  var oldNull: UnsafePointer<UInt8>?
  var oldNullLength = 0
  var check: CaptureCheck
  /// A statement may set it in an update.
  var isCompared = true

  /// The hook's answer may be of either of two values.
  var isDoubtful = false
  /// Values are what the hook says they are.
  var isPlain = false

  /// Sums up the others.
  mutating func settle() {
    isDoubtful = isMisread || hasAmbiguousNull
    isPlain = !isDoubtful && !isReal && oldNull == nil
  }

  /// The rowid stands for this column; the hook's own arguments carry it.
  static let rowID: Int32 = -1
}

/// The rule of a column, cut down to what decides nearly every value at once. What it refuses is looked at again
/// by the rule itself, which has the last word.
struct CaptureCheck {
  /// A bit for each of SQLite's types that needs no look at the value.
  private(set) var accepted: UInt8 = 0
  /// A bit for each type that is taken when its length is within the bounds.
  private(set) var bounded: UInt8 = 0
  private(set) var least: Int32 = 0
  private(set) var most: Int32 = .max
  /// Reals are taken when finite.
  private(set) var takesFinite = false

  init(_ rule: ValueRule) {
    if rule.allowsNull { accepted |= 1 << UInt8(SQLITE_NULL) }
    for (kind, type) in [(ValueRule.Kind.text, SQLITE_TEXT), (.blob, SQLITE_BLOB)]
    where rule.kind == kind || rule.kind == .any { bounded |= 1 << UInt8(type) }
    least = rule.nonEmpty ? 1 : 0
    // A text has at least as many bytes as scalars.
    most = Int32(clamping: min(rule.maximumLength ?? .max, ValueRule.largestSize))
    guard rule.range == nil else { return }
    if rule.kind != .text, rule.kind != .blob { accepted |= 1 << UInt8(SQLITE_INTEGER) }
    guard rule.kind == .real || rule.kind == .any else { return }
    if rule.finite { takesFinite = true } else { accepted |= 1 << UInt8(SQLITE_FLOAT) }
  }

  /// Whether the value is fine for certain.
  @inline(__always)
  func accepts(_ value: OpaquePointer?) -> Bool {
    let type = UInt8(truncatingIfNeeded: captureType(value))
    if accepted &>> type & 1 == 1 { return true }
    if bounded &>> type & 1 == 1 {
      let length = sqlite3_value_bytes(value)
      return length >= least && length <= most
    }
    return takesFinite && Int32(type) == SQLITE_FLOAT && sqlite3_value_double(value).isFinite
  }
}

/// A local write that a rule refuses.
package struct CaptureViolation: Error, Hashable, Sendable {
  package var table: String
  /// The column; for a whole key its columns, with commas.
  package var column: String
  /// The end of a sentence about the column.
  package var problem: String

  /// The same as the error that a statement throws.
  package var error: StoreError {
    StoreError(
      .refusedValue,
      "A value of \(table).\(column) cannot be synced: it \(problem). Nothing of the statement was kept; "
        + "write a value that the declared column takes.")
  }
}
