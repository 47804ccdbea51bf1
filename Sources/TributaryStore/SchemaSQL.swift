import SQLite
import TributaryModel

/// The SQL by which declared tables, columns and indexes are made.
///
/// What a column takes is the engine's to keep, not SQL's, so that a later build may relax it without rebuilding the
/// table: a field is nullable here unless a default gives old rows a value.
enum SchemaSQL {
  static func createTable(_ table: Table) -> String {
    var parts = table.columns.map { column($0, in: table) }
    if !isRowIDKey(table) { parts.append("PRIMARY KEY(\(list(table.key)))") }
    parts += table.references.map { "FOREIGN KEY(\(list($0.columns))) \(references($0))" }
    return "CREATE TABLE \(quoted(table.name))(\n  \(parts.joined(separator: ",\n  ")))"
  }

  /// A foreign key over several columns, or beside a default, cannot be added; the engine still keeps it for
  /// what arrives.
  static func addColumn(_ column: Column, to table: Table, isStrict: Bool) -> String {
    var sql =
      "ALTER TABLE \(quoted(table.name)) ADD COLUMN " + self.column(column, in: table, isStrict: isStrict)
    let reference = table.references.first { $0.columns == [column.name] }
    if let reference, column.defaultValue == nil { sql += " " + references(reference) }
    return sql
  }

  static func createIndex(_ name: String, on table: String, _ columns: [String], isUnique: Bool) -> String {
    "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(quoted(name)) ON \(quoted(table))(\(list(columns)))"
  }

  /// A value as SQL. Text holds no NUL: the schema's check refuses it.
  static func literal(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): number.isInfinite ? (number < 0 ? "-9e999" : "9e999") : "\(number)"
    case .text(let bytes): "'" + text(bytes) + "'"
    case .blob(let bytes): "x'" + bytes.map(hex).joined() + "'"
    }
  }

  private static func column(_ column: Column, in table: Table, isStrict: Bool = false) -> String {
    var sql = quoted(column.name)
    let type = typeName(column.rule.kind, isStrict: isStrict)
    if !type.isEmpty { sql += " " + type }
    if table.key.contains(column.name) {
      return sql + (isRowIDKey(table) ? " PRIMARY KEY" : " NOT NULL")
    }
    guard let value = column.defaultValue else { return sql }
    if !column.rule.allowsNull { sql += " NOT NULL" }
    return sql + " DEFAULT " + literal(value)
  }

  private static func isRowIDKey(_ table: Table) -> Bool {
    table.key.count == 1
      && table.columns.contains { $0.name == table.key[0] && $0.rule.kind == .integer }
  }

  private static func typeName(_ kind: ValueRule.Kind, isStrict: Bool) -> String {
    kind == .any ? (isStrict ? "ANY" : "") : kind.rawValue.uppercased()
  }

  static func references(_ reference: Reference) -> String {
    var sql = "REFERENCES \(quoted(reference.table))"
    if !reference.parentColumns.isEmpty { sql += "(\(list(reference.parentColumns)))" }
    if reference.onDelete != .noAction { sql += " ON DELETE " + action(reference.onDelete) }
    if reference.onUpdate != .noAction { sql += " ON UPDATE " + action(reference.onUpdate) }
    return sql
  }

  private static func action(_ action: Reference.Action) -> String {
    switch action {
    case .noAction: "NO ACTION"
    case .restrict: "RESTRICT"
    case .cascade: "CASCADE"
    case .setNull: "SET NULL"
    case .setDefault: "SET DEFAULT"
    }
  }

  private static func list(_ names: [String]) -> String { names.map(quoted).joined(separator: ", ") }

  private static func text(_ bytes: [UInt8]) -> String {
    let quote = UInt8(ascii: "'")
    return String(decoding: bytes.flatMap { $0 == quote ? [quote, quote] : [$0] }, as: UTF8.self)
  }

  private static func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
