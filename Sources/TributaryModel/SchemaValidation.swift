extension Schema {
  /// What keeps the schema from being used, each a sentence that says where it is and how to mend it.
  ///
  /// Empty for a sound schema. Nothing is asked of a database.
  package func problems() -> [String] {
    var problems: [String] = []
    if let problem = nameProblem(name) { problems.append("The schema's name \(problem)") }
    if version == 0 { problems.append("The schema's version is 0. Count from 1.") }
    guard tables.count <= SchemaLimits.tables else {
      problems.append("The schema has \(tables.count) tables. Declare at most \(SchemaLimits.tables).")
      return problems
    }
    problems += sharedNameProblems()
    if omitted.count > SchemaLimits.omissions
      || omitted.contains(where: { $0.utf8.count > SchemaLimits.omission })
    {
      problems.append("The schema says too much of what it leaves out.")
    }
    let byName = Dictionary(tables.map { ($0.name.sqlFolded, $0) }) { first, _ in first }
    for table in tables {
      var check = TableValidation(table, byName)
      check.run()
      problems += check.problems
    }
    return problems
  }

  /// Tables and indexes share one space of names.
  private func sharedNameProblems() -> [String] {
    var problems: [String] = []
    var taken: [String: String] = [:]
    for table in tables {
      if taken.updateValue("a table", forKey: table.name.sqlFolded) != nil {
        problems.append(
          "The table “\(table.name)” is declared twice (case does not count). Remove one or rename it.")
      }
    }
    for table in tables {
      for index in table.indexes {
        guard let other = taken.updateValue("an index", forKey: index.name.sqlFolded) else { continue }
        problems.append(
          "The index “\(index.name)” of “\(table.name)” has the name of \(other). Give it another name.")
      }
    }
    return problems
  }
}

/// What is wrong with a name, as the end of a sentence with its remedy; nil if it is sound.
func nameProblem(_ name: String, reserved: Bool = false) -> String? {
  if name.isEmpty { return "is empty. Give it a name." }
  let length = name.utf8.count
  if length > SchemaLimits.name {
    return "is \(length) bytes long. Shorten it to at most \(SchemaLimits.name)."
  }
  if name.utf8.contains(0) { return "holds a NUL, which SQL cannot write. Remove it." }
  guard reserved else { return nil }
  for prefix in ["tributary_", "sqlite_"] where name.sqlFolded.hasPrefix(prefix) {
    return "begins with “\(prefix)”, which is reserved. Choose another name."
  }
  return nil
}
