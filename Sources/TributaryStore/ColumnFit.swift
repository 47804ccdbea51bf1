import SQLite
import TributaryModel

extension ColumnInfo {
  /// What SQLite prefers to store in a column.
  enum Affinity: Equatable {
    case integer, text, blob, real, numeric
  }

  /// The affinity of the declared type, by SQLite's rules in their order.
  var affinity: Affinity {
    let type = declaredType.sqlFolded
    if type.contains("int") { return .integer }
    if ["char", "clob", "text"].contains(where: type.contains) { return .text }
    if type.isEmpty || type.contains("blob") { return .blob }
    if ["real", "floa", "doub"].contains(where: type.contains) { return .real }
    return .numeric
  }

  /// Whether the column gives back what was put in for every value of the kind. A whole number in a real column
  /// counts as given back.
  func keeps(_ kind: ValueRule.Kind, isStrict: Bool) -> Bool {
    if isStrict { return strictKind == .any || strictKind == kind }
    switch kind {
    case .any, .blob: return true
    case .text: return affinity == .text || affinity == .blob
    case .integer: return affinity == .integer || affinity == .numeric || affinity == .blob
    case .real: return affinity != .text
    }
  }

  private var strictKind: ValueRule.Kind? {
    let type = declaredType.sqlFolded
    return type == "int" ? .integer : ValueRule.Kind(rawValue: type)
  }

  /// The default, if it is a plain literal: one that is computed differs by device and moment.
  var literalDefault: String? {
    guard let sql = defaultSQL else { return nil }
    let word = sql.sqlFolded
    if ["true", "false"].contains(word) || Self.isQuoted(sql[...]) { return sql }
    if word.first == "x", Self.isQuoted(sql.dropFirst()) { return sql }
    let isNumber = sql.utf8.allSatisfy {
      (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0)
    }
    return isNumber ? sql : nil
  }

  /// Whether this is one quoted string, and not an expression that begins with one.
  private static func isQuoted(_ sql: Substring) -> Bool {
    let quote = UInt8(ascii: "'")
    guard sql.utf8.count >= 2, sql.utf8.first == quote, sql.utf8.last == quote else { return false }
    let runs = sql.utf8.dropFirst().dropLast().split(omittingEmptySubsequences: true) { $0 != quote }
    return runs.allSatisfy { $0.count.isMultiple(of: 2) }
  }
}
