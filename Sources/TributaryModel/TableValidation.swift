/// Looks for what is wrong with one table of a schema.
struct TableValidation {
  let table: Table
  let tables: [String: Table]
  private(set) var problems: [String] = []
  private let columns: [String: Column]

  init(_ table: Table, _ tables: [String: Table]) {
    self.table = table
    self.tables = tables
    columns = Dictionary(table.columns.map { ($0.name, $0) }) { first, _ in first }
  }

  mutating func run() {
    if let problem = nameProblem(table.name, reserved: true) { report("has a name that \(problem)") }
    guard checkCounts() else { return }
    checkColumns()
    checkKey()
    for group in table.groups { checkGroup(group) }
    for unique in table.unique { checkList(unique, "the unique set") }
    for unique in table.foundUnique { checkFound(unique) }
    for index in table.indexes { checkIndex(index) }
    for reference in table.references { checkReference(reference) }
  }

  /// Adds a sentence about the table.
  mutating func report(_ predicate: String) { problems.append("The table “\(table.name)” \(predicate)") }

  private mutating func checkCounts() -> Bool {
    let counts = [
      ("columns", table.columns.count, SchemaLimits.columns),
      ("groups", table.groups.count, SchemaLimits.rules),
      ("unique sets", table.unique.count + table.foundUnique.count, SchemaLimits.rules),
      ("references", table.references.count, SchemaLimits.rules),
      ("indexes", table.indexes.count, SchemaLimits.rules),
    ]
    let tooMany = counts.filter { $0.1 > $0.2 }
    for (what, count, limit) in tooMany { report("has \(count) \(what). Declare at most \(limit).") }
    return tooMany.isEmpty
  }

  private mutating func checkColumns() {
    var seen: Set<String> = []
    for column in table.columns {
      if let problem = nameProblem(column.name) {
        report("has a column “\(column.name)” whose name \(problem)")
      }
      if !seen.insert(column.name.sqlFolded).inserted {
        report("has the column “\(column.name)” twice (case does not count). Remove one or rename it.")
      }
      checkOwnRules(column)
      checkFound(column)
      if let problem = defaultProblem(column) {
        report("has a default for “\(column.name)” that \(problem)")
      }
    }
  }

  /// What becomes part of a declaration must be no more than it says it is.
  private mutating func checkFound(_ column: Column) {
    guard let found = column.found else { return }
    if !found.isPlainType { report("has a column “\(column.name)” with a type that cannot be declared.") }
    if let collation = found.collation, !FoundColumn.collations.contains(collation) {
      report("has a column “\(column.name)” that compares by \(collation), which only its own app knows.")
    }
  }

  private mutating func checkFound(_ unique: FoundUnique) {
    guard checkList(unique.columns, "the unique set") else { return }
    guard unique.collations.count == unique.columns.count,
      unique.collations.allSatisfy(FoundUnique.known.contains)
    else {
      return report(
        "compares the unique set [\(unique.columns.joined(separator: ", "))] in a way that cannot be declared."
      )
    }
  }

  /// A column's own rules count only once the table has them, which its initializer sees to.
  private mutating func checkOwnRules(_ column: Column) {
    if column.isUnique, !table.unique.contains([column.name]) {
      report("lacks the unique set of its column “\(column.name)”. Add [“\(column.name)”] to `unique`.")
    }
    if let reference = column.reference, !table.references.contains(reference) {
      report("lacks the reference of its column “\(column.name)”. Add it to `references`.")
    }
  }

  private func defaultProblem(_ column: Column) -> String? {
    guard let value = column.defaultValue else { return nil }
    switch value {
    case .null: return "is NULL. Leave the default out and declare the column `orNull`."
    case .real(let number) where number.isNaN: return "is not a number. Give it one."
    case .text(let bytes), .blob(let bytes):
      if bytes.count > SchemaLimits.defaultValue {
        return "is \(bytes.count) bytes long. Shorten it to at most \(SchemaLimits.defaultValue)."
      }
      if case .text = value,
        bytes.contains(0) || !String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
      {
        return "is text with a NUL or invalid UTF-8, which SQL cannot write. Use other text or a blob."
      }
    default: break
    }
    return column.rule.problem(with: value).map {
      "the column's own rule refuses: it \($0). Change the default or the rule."
    }
  }

  private mutating func checkKey() {
    guard !table.key.isEmpty else { return report("has no key. Name the columns that identify a row.") }
    guard checkList(table.key, "the key") else { return }
    let key = table.key.compactMap { columns[$0] }
    for column in key where column.rule.allowsNull {
      report("takes NULL in its key column “\(column.name)”. Declare the column without NULL.")
    }
    for column in key where column.defaultValue != nil {
      report("has a default for its key column “\(column.name)”. Remove the default.")
    }
    if table.scope == .synced, key.count == 1, key[0].rule.kind == .integer, !table.sharedIntegerKey {
      report(
        """
        has one integer as its key, which SQLite hands out alike on every device. Use a text or blob key made at \
        random, or declare `sharedIntegerKey` if the app chooses the numbers itself.
        """)
    }
    if table.sharedIntegerKey, key.count != 1 || key[0].rule.kind != .integer {
      report("declares `sharedIntegerKey`, but its key is not one integer. Remove `sharedIntegerKey`.")
    }
  }

  private mutating func checkGroup(_ group: [String]) {
    guard checkList(group, "the group") else { return }
    for name in group where table.key.contains(name) {
      report("has the key column “\(name)” in a group. Remove it: a key never changes.")
    }
  }

  private mutating func checkIndex(_ index: Index) {
    if let problem = nameProblem(index.name, reserved: true) { report("has an index whose name \(problem)") }
    checkList(index.columns, "the index “\(index.name)”")
  }

  /// Whether the list names columns of the table, each once.
  @discardableResult
  mutating func checkList(_ names: [String], _ what: String) -> Bool {
    guard !names.isEmpty else {
      report("names no columns in \(what). Name at least one, or remove it.")
      return false
    }
    var seen: Set<String> = []
    var isSound = true
    for name in names {
      if columns[name] == nil {
        report("has no column “\(name)”, which \(what) names. Declare the column or correct the name.")
        isSound = false
      } else if !seen.insert(name).inserted {
        report("names “\(name)” twice in \(what). Name it once.")
        isSound = false
      }
    }
    return isSound
  }
}
