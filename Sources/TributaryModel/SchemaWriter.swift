/// Turns a schema into JSON, leaving out what the reader fills in.
enum SchemaWriter {
  static func schema(_ schema: Schema) -> JSON {
    var members = [
      JSON.Member("name", .string(schema.name)), JSON.Member("version", .integer(Int64(schema.version))),
      JSON.Member("tables", .array(schema.tables.map(table))),
    ]
    if !schema.omitted.isEmpty { members.append(JSON.Member("omitted", strings(schema.omitted))) }
    return .object(members)
  }

  private static func table(_ table: Table) -> JSON {
    // The reader adds the columns' own unique sets at the end, as the initializer does.
    let own = table.columns.filter(\.isUnique).map { [$0.name] }
    let isUsual = own.isEmpty || table.unique.suffix(own.count).elementsEqual(own)
    let unique = isUsual ? Array(table.unique.dropLast(own.count)) : table.unique
    var members = [JSON.Member("name", .string(table.name)), JSON.Member("key", strings(table.key))]
    members.append(JSON.Member("columns", .array(table.columns.map { column($0, isUsual && $0.isUnique) })))
    let lists: [(String, [JSON])] = [
      ("groups", table.groups.map(strings)), ("references", table.references.map(reference)),
      ("unique", unique.map(strings)), ("indexes", table.indexes.map(index)),
    ]
    for (name, list) in lists where !list.isEmpty { members.append(JSON.Member(name, .array(list))) }
    if table.scope != .synced { members.append(JSON.Member("scope", .string(table.scope.rawValue))) }
    if table.onDelete != .editRevives {
      members.append(JSON.Member("onDelete", .string(table.onDelete.rawValue)))
    }
    if table.sharedIntegerKey { members.append(JSON.Member("sharedIntegerKey", .bool(true))) }
    if let found = table.found {
      members.append(
        JSON.Member("found", strings(FoundTable.names.filter { found.contains($0.trait) }.map(\.name))))
    }
    if !table.foundUnique.isEmpty {
      members.append(JSON.Member("foundUnique", .array(table.foundUnique.map(foundUnique))))
    }
    return .object(members)
  }

  private static func foundUnique(_ unique: FoundUnique) -> JSON {
    .object([
      JSON.Member("columns", strings(unique.columns)), JSON.Member("collations", strings(unique.collations)),
    ])
  }

  private static func column(_ column: Column, _ isUnique: Bool) -> JSON {
    let rule = column.rule
    var members = [JSON.Member("name", .string(column.name))]
    members.append(JSON.Member("type", .string(rule.kind.rawValue)))
    if rule.allowsNull != (rule.kind == .any) { members.append(JSON.Member("null", .bool(rule.allowsNull))) }
    if let value = column.defaultValue { members.append(JSON.Member("default", self.value(value))) }
    if rule.nonEmpty { members.append(JSON.Member("nonEmpty", .bool(true))) }
    if let length = rule.maximumLength { members.append(JSON.Member("maxLength", .integer(Int64(length)))) }
    if let range = rule.range {
      members.append(JSON.Member("range", .array([bound(range.lowerBound), bound(range.upperBound)])))
    }
    if rule.finite != (rule.kind == .real) { members.append(JSON.Member("finite", .bool(rule.finite))) }
    if isUnique { members.append(JSON.Member("unique", .bool(true))) }
    if let found = column.found { members.append(JSON.Member("found", self.found(found))) }
    return .object(members)
  }

  private static func found(_ column: FoundColumn) -> JSON {
    var members = [JSON.Member("type", .string(column.type))]
    if let collation = column.collation { members.append(JSON.Member("collation", .string(collation))) }
    if let now = column.now { members.append(JSON.Member("now", .string(now.rawValue))) }
    return .object(members)
  }

  private static func bound(_ number: Double) -> JSON {
    guard number.isFinite else { return .null }
    guard abs(number) < 0x1p53, let whole = Int64(exactly: number) else { return .real(number) }
    return .integer(whole)
  }

  private static func value(_ value: Value) -> JSON {
    switch value {
    case .null: return .null
    case .integer(let number): return .integer(number)
    case .real(let number): return number.isFinite ? .real(number) : tagged("real", "\(number)")
    case .text(let bytes):
      let text = String(decoding: bytes, as: UTF8.self)
      return text.utf8.elementsEqual(bytes) ? .string(text) : tagged("text", Hex.string(bytes))
    case .blob(let bytes): return tagged("blob", Hex.string(bytes))
    }
  }

  private static func tagged(_ kind: String, _ text: String) -> JSON {
    .object([JSON.Member(kind, .string(text))])
  }

  private static func reference(_ reference: Reference) -> JSON {
    var members = [
      JSON.Member("columns", strings(reference.columns)), JSON.Member("table", .string(reference.table)),
    ]
    if !reference.parentColumns.isEmpty {
      members.append(JSON.Member("parentColumns", strings(reference.parentColumns)))
    }
    if reference.onDelete != .noAction {
      members.append(JSON.Member("onDelete", .string(reference.onDelete.rawValue)))
    }
    if reference.onUpdate != .noAction {
      members.append(JSON.Member("onUpdate", .string(reference.onUpdate.rawValue)))
    }
    return .object(members)
  }

  private static func index(_ index: Index) -> JSON {
    .object([JSON.Member("name", .string(index.name)), JSON.Member("columns", strings(index.columns))])
  }

  private static func strings(_ strings: [String]) -> JSON { .array(strings.map { .string($0) }) }
}
