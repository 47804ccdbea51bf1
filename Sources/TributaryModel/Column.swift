/// One column of a declared table: its name, what it takes, and what a row without it reads.
///
/// A plain column must be given a value by every insert. A row that was written before the column existed
/// reads NULL, unless the column has a default.
public struct Column: Hashable, Sendable {
  /// The column's name, as SQL writes it.
  public var name: String
  /// What values it takes.
  package var rule: ValueRule
  /// What rows without a value read; nil for none.
  public var defaultValue: Value?
  package var isUnique = false
  /// How the column was found in a database that is adopted; nil for one that is declared.
  package var found: FoundColumn?
  package var reference: Reference?

  /// A column with a rule of its own. The functions named for kinds, such as ``text(_:nonEmpty:maximumLength:)``, are
  /// shorter.
  package init(_ name: String, _ rule: ValueRule, defaultValue: Value? = nil) {
    self.name = name
    self.rule = rule
    self.defaultValue = defaultValue
  }

  /// Text; `maximumLength` counts Unicode scalars.
  public static func text(_ name: String, nonEmpty: Bool = false, maximumLength: Int? = nil) -> Column {
    Column(name, ValueRule(.text, nonEmpty: nonEmpty, maximumLength: maximumLength))
  }

  /// A 64-bit integer.
  public static func integer(_ name: String, range: ClosedRange<Double>? = nil) -> Column {
    Column(name, ValueRule(.integer, range: range))
  }

  /// A real number; whole numbers are taken as well.
  public static func real(_ name: String, finite: Bool = true, range: ClosedRange<Double>? = nil) -> Column {
    Column(name, ValueRule(.real, finite: finite, range: range))
  }

  /// Bytes.
  public static func blob(_ name: String, nonEmpty: Bool = false, maximumLength: Int? = nil) -> Column {
    Column(name, ValueRule(.blob, nonEmpty: nonEmpty, maximumLength: maximumLength))
  }

  /// Any value, NULL included.
  public static func any(_ name: String) -> Column { Column(name, .anything) }

  /// The same column, with NULL as a value.
  public var orNull: Column { changed { $0.rule.allowsNull = true } }

  /// The same column as `NOT NULL DEFAULT`: rows from before it, and from older builds, read the default.
  public func withDefault(_ value: Value) -> Column { changed { $0.defaultValue = value } }

  /// The same column with a default number.
  public func withDefault(_ value: Int) -> Column { withDefault(Value.integer(Int64(value))) }

  /// The same column with a default real number.
  public func withDefault(_ value: Double) -> Column { withDefault(Value.real(value)) }

  /// The same column with a default text.
  public func withDefault(_ value: String) -> Column { withDefault(Value.text(value)) }

  /// The same column, with values that no two records may share.
  public var unique: Column { changed { $0.isUnique = true } }

  /// The same column as a foreign key to another synced table's key.
  public func references(_ table: String, onDelete: Reference.Action = .noAction) -> Column {
    changed { $0.reference = Reference([$0.name], table, onDelete: onDelete) }
  }

  private func changed(_ change: (inout Column) -> Void) -> Column {
    var copy = self
    change(&copy)
    return copy
  }
}
