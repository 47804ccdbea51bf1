import TestSupport
import TributaryModel

private let names = [
  "a", "select", "x y", "\"q\"", "😀", "back\\slash", "tab\t", "é", "\u{1}", "n'", "line\nbreak",
]

/// A schema of any form, sound or not.
func randomSchema(_ random: inout Splitmix) -> Schema {
  let tables = (0..<Int.random(in: 0...4, using: &random)).map { randomTable($0, &random) }
  return Schema(
    names.randomElement(using: &random) ?? "", version: UInt32.random(in: 0 ... .max, using: &random),
    tables: tables)
}

private func pick(_ random: inout Splitmix) -> [String] {
  (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in names.randomElement(using: &random) }
}

private func lists(_ random: inout Splitmix) -> [[String]] {
  (0..<Int.random(in: 0...2, using: &random)).map { _ in pick(&random) }
}

private func randomTable(_ number: Int, _ random: inout Splitmix) -> Table {
  let columns = (0..<Int.random(in: 0...5, using: &random)).map { _ in randomColumn(&random) }
  let actions: [Reference.Action] = [.noAction, .restrict, .cascade, .setNull, .setDefault]
  let references = lists(&random).map { columns in
    Reference(
      columns, "t", parentColumns: pick(&random),
      onDelete: actions.randomElement(using: &random) ?? .noAction,
      onUpdate: actions.randomElement(using: &random) ?? .noAction)
  }
  return Table(
    "t\(number)", key: Key(pick(&random)), columns: columns, groups: lists(&random), unique: lists(&random),
    references: references, indexes: lists(&random).map { Index("i", on: $0) },
    scope: Bool.random(using: &random) ? .synced : .local,
    onDelete: Bool.random(using: &random) ? .editRevives : .erases,
    sharedIntegerKey: Bool.random(using: &random))
}

private func randomColumn(_ random: inout Splitmix) -> Column {
  let kinds: [ValueRule.Kind] = [.text, .integer, .real, .blob, .any]
  let bounds = [-.infinity, -1.5, 0, 9, 0x1p60, .infinity].filter { _ in Bool.random(using: &random) }
  let rule = ValueRule(
    kinds.randomElement(using: &random) ?? .any, allowsNull: Bool.random(using: &random),
    nonEmpty: Bool.random(using: &random), finite: Bool.random(using: &random),
    maximumLength: Bool.random(using: &random) ? Int.random(in: 0 ... .max, using: &random) : nil,
    range: bounds.count > 1 ? bounds[0]...bounds[1] : nil)
  let bits = UInt64.random(in: 0 ... .max, using: &random)
  let values: [Value?] = [
    nil, .null, .integer(Int64(bitPattern: bits)), .real(1), .real(-0.0), .real(-.infinity), .real(1e300),
    .real(0.1), .text(names.randomElement(using: &random) ?? ""), .text([0xFF, 0]), .blob([]),
    .blob([0, 171]),
  ]
  let column = Column(
    names.randomElement(using: &random) ?? "", rule, defaultValue: values.randomElement(using: &random) ?? nil
  )
  return Bool.random(using: &random) ? column.unique : column
}
