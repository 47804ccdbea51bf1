import SQLite
import TributaryModel

/// Joins what is declared of a synced table with what the database says of it.
struct ShapeMaker {
  let table: Table
  let info: TableInfo
  let schema: Schema
  let numbers: LocalNumbers
  let connection: Connection

  func shape() throws -> TableShape {
    let type = try numbers.type(named: table.name)
    let places = self.places()
    let fields = try self.fields(type, places)
    let foreignKeys = self.foreignKeys()
    let unique = self.unique()
    return TableShape(
      name: table.name, type: type, key: key(places), fields: fields,
      groups: groups(fields, unique, foreignKeys), foreignKeys: foreignKeys, unique: unique,
      isWithoutRowID: info.isWithoutRowID, isRowIDKey: info.rowIDAlias != nil,
      isSharedIntegerKey: table.sharedIntegerKey, onDelete: table.onDelete,
      otherColumns: info.columns.map(\.name).filter { declared($0) == nil })
  }

  private func declared(_ name: String) -> Column? { table.columns.first { $0.name == name } }

  /// Each column's place among all that are declared, computed ones too.
  private func places() -> [String: Int] {
    Dictionary(info.columns.enumerated().map { ($0.element.name, $0.offset) }) { first, _ in first }
  }

  private func key(_ places: [String: Int]) -> [TableShape.KeyColumn] {
    table.key.compactMap { name in
      guard let index = places[name], let column = declared(name) else { return nil }
      let collation = info.columns.first { $0.name == name }?.collation ?? Collation.binary
      return TableShape.KeyColumn(name: name, index: index, rule: column.rule, collation: collation)
    }
  }

  private func fields(_ type: Int64, _ places: [String: Int]) throws -> [TableShape.FieldColumn] {
    let inKey = Set(table.key)
    return try info.columns.compactMap { column in
      guard let declared = declared(column.name), !inKey.contains(column.name),
        let index = places[column.name]
      else { return nil }
      var rule = declared.rule
      // Both must agree: what the table refuses is held as what the rule refuses, and does not fail a batch.
      if column.notNull { rule.allowsNull = false }
      return TableShape.FieldColumn(
        name: column.name, index: index, field: try numbers.field(type: type, named: column.name),
        isNotNull: column.notNull, takesNull: rule.allowsNull,
        defaultValue: try defaultValue(declared, column), rule: rule,
        mixesNumbers: ![.text, .real].contains(column.affinity))
    }
  }

  /// The declared default, or else the table's, as the column gives it back.
  private func defaultValue(_ declared: Column, _ column: ColumnInfo) throws -> Value? {
    var value = declared.defaultValue
    if value == nil, let sql = column.literalDefault { value = try connection.value("SELECT \(sql)") }
    guard let value, !(info.isStrict && column.declaredType.sqlFolded == "any") else { return value }
    return try stored(value, column.affinity)
  }

  /// A value as a column of the affinity keeps it, as far as it does so for every value: see "Datatypes In SQLite".
  private func stored(_ value: Value, _ affinity: ColumnInfo.Affinity) throws -> Value? {
    switch (affinity, value) {
    case (.text, .integer), (.text, .real): return try connection.value("SELECT CAST(?1 AS TEXT)", [value])
    case (.blob, _), (.text, _), (_, .blob), (_, .null): return value
    default: break
    }
    let number = try connection.value(
      "SELECT CASE WHEN ?1=CAST(?1 AS NUMERIC) THEN CAST(?1 AS NUMERIC) ELSE ?1 END", [value])
    switch (affinity, number) {
    case (.real, .integer(let whole)?): return .real(Double(whole))
    case (.integer, .real?), (.numeric, .real?):
      return try connection.value(
        "SELECT CASE WHEN ?1=CAST(?1 AS INTEGER) THEN CAST(?1 AS INTEGER) ELSE ?1 END", [number ?? value])
    default: return number
    }
  }

  /// The database's foreign keys, then declared ones that it does not have.
  private func foreignKeys() -> [TableShape.ForeignKey] {
    var keys = info.foreignKeys.map { foreignKey($0.columns, $0.parentTable, $0.parentColumns ?? []) }
    keys += table.references.map { foreignKey($0.columns, $0.table, $0.parentColumns) }
    var seen: Set<TableShape.ForeignKey> = []
    return keys.compactMap(\.self).filter { seen.insert($0).inserted }
  }

  private func foreignKey(_ columns: [String], _ parent: String, _ parentColumns: [String])
    -> TableShape.ForeignKey?
  {
    guard columns.allSatisfy({ declared($0) != nil }),
      let parent = schema.tables.first(where: { $0.name.sqlFolded == parent.sqlFolded })
    else { return nil }
    return TableShape.ForeignKey(
      columns: columns, parent: parent.name, parentColumns: parentColumns.isEmpty ? parent.key : parentColumns
    )
  }

  /// Unique sets over declared columns; the key's only if it holds different identities equal.
  private func unique() -> [TableShape.UniqueSet] {
    var seen: Set<TableShape.UniqueSet> = []
    return info.uniqueIndexes.compactMap { index in
      let set = TableShape.UniqueSet(
        index.columns.compactMap(\.name), collations: index.columns.map(\.collation))
      if index.origin == .primaryKey, set.collations.allSatisfy({ $0.sqlFolded == "binary" }) { return nil }
      return set.columns.allSatisfy { declared($0) != nil } && seen.insert(set).inserted ? set : nil
    }
  }

  /// Fields that win or lose together: declared groups, and those that a rule over several columns names; groups
  /// that share a field are one.
  private func groups(
    _ fields: [TableShape.FieldColumn], _ unique: [TableShape.UniqueSet],
    _ foreignKeys: [TableShape.ForeignKey]
  ) -> [Int: FieldMask] {
    let byName = Dictionary(fields.map { ($0.name, $0.field) }) { first, _ in first }
    var groups: [Int: FieldMask] = [:]
    for names in table.groups + unique.map(\.columns) + foreignKeys.map(\.columns) {
      let members = names.compactMap { byName[$0] }
      guard members.count > 1 else { continue }
      let joined = members.reduce(into: FieldMask(members)) { mask, field in
        if let other = groups[field] { mask.formUnion(other) }
      }
      for field in byName.values where joined.contains(field) { groups[field] = joined }
    }
    return groups
  }
}
