/// What an app syncs: its tables, and what its fields mean.
///
/// A schema only grows. Tables, columns and indexes that are missing in the store are added when it is opened;
/// nothing is ever dropped or renamed.
public struct Schema: Hashable, Sendable {
  /// The app's name for the data, the same on every device, for example `com.example.tasks`. At most 128 bytes.
  public var name: String
  /// The tables, those that stay on the device among them.
  public var tables: [Table]
  /// Raised only when an existing field takes another meaning: older builds then hold what newer ones write.
  public var version: UInt32
  /// What an adopted database has that a description cannot carry, for people who join: triggers, views, checks.
  package var omitted: [String] = []

  /// Names the data and its tables. What is wrong with them is said when a store is opened with the schema.
  public init(_ name: String, version: UInt32 = 1, tables: [Table]) {
    self.name = name
    self.version = version
    self.tables = tables
  }

  /// The tables that travel.
  package var syncedTables: [Table] { tables.filter { $0.scope == .synced } }
}

/// One table of a schema. Its name is the record type.
public struct Table: Hashable, Sendable {
  /// Whether a table's rows travel.
  public enum Scope: String, Hashable, Sendable, Codable {
    /// The rows are sent to the other devices.
    case synced
    /// The rows stay on the device.
    case local
  }

  /// What a delete does to edits that did not know of it.
  public enum DeletePolicy: String, Hashable, Sendable, Codable {
    /// A later edit brings the record back whole.
    case editRevives
    /// A delete ends every field stamped before it; for secrets.
    case erases
  }

  /// The table's name in SQL, and the record type that other devices know it by.
  public var name: String
  /// The primary key's columns, in key order. They are among `columns`.
  public var key: [String]
  /// Every column, those of the key too.
  public var columns: [Column]
  /// Columns that win or lose together.
  public var groups: [[String]]
  /// Sets of columns of which no two records may hold the same values.
  public var unique: [[String]]
  /// The foreign keys.
  public var references: [Reference]
  /// The indexes that the store makes where they are missing.
  public var indexes: [Index]
  /// Whether the rows travel.
  public var scope: Scope
  /// What a delete does to edits that did not know of it.
  public var onDelete: DeletePolicy
  /// Allows keys that SQLite hands out itself; two devices may then use one key for two things, which is reported.
  public var sharedIntegerKey: Bool
  /// How the table was found in a database that is adopted; nil for one that is declared.
  package var found: FoundTable?
  /// What is unique there by another comparison than the columns' own, and not in `unique`.
  package var foundUnique: [FoundUnique] = []

  /// Declares a table.
  ///
  /// - Parameter key: the key's columns; those that `columns` does not have are text.
  public init(
    _ name: String, key: Key, columns: [Column], groups: [[String]] = [], unique: [[String]] = [],
    references: [Reference] = [], indexes: [Index] = [], scope: Scope = .synced,
    onDelete: DeletePolicy = .editRevives, sharedIntegerKey: Bool = false
  ) {
    self.name = name
    self.key = key.columns
    let declared = Set(columns.map(\.name))
    self.columns = key.columns.filter { !declared.contains($0) }.map { Column.text($0) } + columns
    self.groups = groups
    self.unique = unique + columns.filter(\.isUnique).map { [$0.name] }
    self.references = references + columns.compactMap(\.reference)
    self.indexes = indexes
    self.scope = scope
    self.onDelete = onDelete
    self.sharedIntegerKey = sharedIntegerKey
  }

  /// The columns that are not in the key.
  package var fields: [Column] { columns.filter { !key.contains($0.name) } }
}

/// The names of a key's columns: `"id"` or `["list", "position"]`.
public struct Key: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  /// The names of the columns, in key order.
  public var columns: [String]
  /// A key of one column.
  public init(stringLiteral value: String) { columns = [value] }
  /// A key of several columns.
  public init(arrayLiteral elements: String...) { columns = elements }
  /// A key of the columns with these names.
  public init(_ columns: [String]) { self.columns = columns }
}

/// A foreign key of a synced table.
public struct Reference: Hashable, Sendable {
  /// What deleting the parent, or changing its key, does on the device where it happens.
  public enum Action: String, Hashable, Sendable, Codable {
    /// Refuses the write that leaves a child without its parent.
    case noAction
    /// Refuses the statement at once while a child is there.
    case restrict
    /// Deletes or changes the children too.
    case cascade
    /// Sets the children's columns to NULL.
    case setNull
    /// Sets the children's columns to their defaults.
    case setDefault
  }

  /// The columns that point.
  public var columns: [String]
  /// The table that they point to.
  public var table: String
  /// The parent's columns; empty means its key.
  public var parentColumns: [String]
  /// What deleting the parent does.
  public var onDelete: Action
  /// What changing the parent's key does.
  public var onUpdate: Action

  /// A foreign key of several columns, or to other columns than the parent's key. For one column
  /// ``Column/references(_:onDelete:)`` is shorter.
  public init(
    _ columns: [String], _ table: String, parentColumns: [String] = [], onDelete: Action = .noAction,
    onUpdate: Action = .noAction
  ) {
    self.columns = columns
    self.table = table
    self.parentColumns = parentColumns
    self.onDelete = onDelete
    self.onUpdate = onUpdate
  }
}

/// An index that the store creates when it is missing.
public struct Index: Hashable, Sendable {
  /// The index's name, which no other index of the database has.
  public var name: String
  /// The columns that it covers, in order.
  public var columns: [String]

  /// An index with this name on columns of its table.
  public init(_ name: String, on columns: [String]) {
    self.name = name
    self.columns = columns
  }
}
