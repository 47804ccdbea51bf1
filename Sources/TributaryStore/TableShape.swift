import SQLite
package import TributaryModel

/// A synced table as the engine works with it: the declared schema and what the database says, joined.
package struct TableShape: Sendable {
  /// A column that travels and is not part of the key.
  package struct FieldColumn: Sendable {
    package var name: String
    /// The column's position in the table, as SQLite counts it.
    package var index: Int
    /// The local number of the field, lasting for this store.
    package var field: Int
    /// The table refuses NULL here (`NOT NULL` in the database).
    package var isNotNull: Bool
    /// Whether a dangling reference here may be shown as NULL.
    package var takesNull: Bool
    /// What a record without this field reads.
    package var defaultValue: Value?
    package var rule: ValueRule
    /// Whether whole numbers are kept both as integers and as reals.
    package var mixesNumbers: Bool

    package init(
      name: String, index: Int, field: Int, isNotNull: Bool, takesNull: Bool, defaultValue: Value?,
      rule: ValueRule, mixesNumbers: Bool = false
    ) {
      self.name = name
      self.index = index
      self.field = field
      self.isNotNull = isNotNull
      self.takesNull = takesNull
      self.defaultValue = defaultValue
      self.rule = rule
      self.mixesNumbers = mixesNumbers
    }
  }

  /// A column of the key, in key order.
  package struct KeyColumn: Sendable {
    package var name: String
    package var index: Int
    package var rule: ValueRule
    /// How the table compares keys; two that it holds equal may be two records.
    package var collation: String

    package init(name: String, index: Int, rule: ValueRule, collation: String = Collation.binary) {
      self.name = name
      self.index = index
      self.rule = rule
      self.collation = collation
    }
  }

  /// Columns of which no two rows may hold the same values.
  package struct UniqueSet: Sendable, Hashable {
    package var columns: [String]
    /// How each column's values are compared.
    package var collations: [String]

    package init(_ columns: [String], collations: [String]? = nil) {
      self.columns = columns
      self.collations = collations ?? columns.map { _ in Collation.binary }
    }
  }

  /// A foreign key to another synced table (or this one).
  package struct ForeignKey: Sendable, Hashable {
    package var columns: [String]
    package var parent: String
    /// The parent's columns, never empty here.
    package var parentColumns: [String]

    package init(columns: [String], parent: String, parentColumns: [String]) {
      self.columns = columns
      self.parent = parent
      self.parentColumns = parentColumns
    }
  }

  package var name: String
  /// The local number of the record type, lasting for this store.
  package var type: Int64
  package var key: [KeyColumn]
  /// In the order of the table's columns.
  package var fields: [FieldColumn]
  /// For each local field number that is in a group with others: the whole group.
  package var groups: [Int: FieldMask]
  package var foreignKeys: [ForeignKey]
  /// Column sets that must be unique; the primary key is among them where it holds different identities equal.
  package var unique: [UniqueSet]
  package var isWithoutRowID: Bool
  /// Whether the key is SQLite's own rowid.
  package var isRowIDKey: Bool
  /// Whether two devices may use one key for two things.
  package var isSharedIntegerKey: Bool
  package var onDelete: Table.DeletePolicy
  /// Columns of the table that do not travel: generated ones, and ones that this build no longer declares.
  package var otherColumns: [String]

  package init(
    name: String, type: Int64, key: [KeyColumn], fields: [FieldColumn], groups: [Int: FieldMask] = [:],
    foreignKeys: [ForeignKey] = [], unique: [UniqueSet] = [], isWithoutRowID: Bool = false,
    isRowIDKey: Bool = false, isSharedIntegerKey: Bool = false,
    onDelete: Table.DeletePolicy = .editRevives, otherColumns: [String] = []
  ) {
    self.name = name
    self.type = type
    self.key = key
    self.fields = fields
    self.groups = groups
    self.foreignKeys = foreignKeys
    self.unique = unique
    self.isWithoutRowID = isWithoutRowID
    self.isRowIDKey = isRowIDKey
    self.isSharedIntegerKey = isSharedIntegerKey
    self.onDelete = onDelete
    self.otherColumns = otherColumns
  }

  /// Every field of the table.
  package var allFields: FieldMask { FieldMask(fields.map(\.field)) }

  /// The field with this column name; nil for key columns and for names that are not here.
  package func field(named name: String) -> FieldColumn? { fields.first { $0.name == name } }
}

extension TableShape {
  /// A test for exactly the key whose values are the first parameters. A column's collation may take other keys for it.
  var keyTest: String {
    key.enumerated().map { place, column in
      let test = "\(quoted(column.name))=?\(place + 1)"
      return column.collation.sqlFolded == "binary" ? test : test + " AND \(test) COLLATE BINARY"
    }.joined(separator: " AND ")
  }
}
