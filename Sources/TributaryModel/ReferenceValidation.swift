extension TableValidation {
  mutating func checkReference(_ reference: Reference) {
    let what = "the reference to “\(reference.table)”"
    guard checkList(reference.columns, what) else { return }
    guard let parent = tables[reference.table.sqlFolded] else {
      return report(
        "refers to “\(reference.table)”, which is not declared. Declare it or remove the reference.")
    }
    guard parent.name == reference.table else {
      return report(
        "refers to “\(reference.table)”, declared as “\(parent.name)”. Write it in the same case.")
    }
    if table.scope == .synced, parent.scope == .local {
      report("refers to the local table “\(parent.name)”. Sync that table too, or remove the reference.")
    }
    checkParentColumns(reference, parent)
    // What was found in a database is what its own program lives with.
    if table.found == nil { checkActions(reference, what) }
  }

  private mutating func checkParentColumns(_ reference: Reference, _ parent: Table) {
    let columns = reference.parentColumns.isEmpty ? parent.key : reference.parentColumns
    guard columns.count == reference.columns.count else {
      return report(
        """
        refers to “\(parent.name)” by \(reference.columns.count) columns, but \(columns.count) are on the other \
        side. Name as many columns on both sides.
        """)
    }
    for name in columns where !parent.columns.contains(where: { $0.name == name }) {
      return report("refers to “\(parent.name)”.“\(name)”, which is not declared. Correct the name.")
    }
    let named = Set(columns)
    guard ([parent.key] + parent.unique).contains(where: { Set($0) == named }) else {
      let list = columns.map { "“\($0)”" }.joined(separator: ", ")
      return report("refers to \(list) of “\(parent.name)”, which are not unique there. Declare them unique.")
    }
  }

  private mutating func checkActions(_ reference: Reference, _ what: String) {
    for action in [reference.onDelete, reference.onUpdate] {
      for name in reference.columns {
        guard let column = table.columns.first(where: { $0.name == name }) else { continue }
        let nulls = action == .setNull || action == .setDefault && column.defaultValue == nil
        if nulls, !column.rule.allowsNull {
          return report(
            "sets “\(name)” to NULL by \(what), but the column refuses NULL. Declare it `orNull`.")
        }
      }
    }
  }
}
