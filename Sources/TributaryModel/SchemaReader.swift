/// Makes a schema of its JSON. Every key must be known, so that a slip of the pen is an error and not a default.
enum SchemaReader {
  static func schema(_ json: JSON) throws -> Schema {
    let members = try SchemaMembers(json, "the schema", known: ["name", "version", "tables", "omitted"])
    let name = try members.string("name")
    let version = try members.count("version", UInt32.self) ?? 1
    guard members.value("tables") != nil else { throw members.wrong("tables", "a list of tables") }
    let tables = try members.list("tables").enumerated().map { try table($0.element, number: $0.offset + 1) }
    var schema = Schema(name, version: version, tables: tables)
    schema.omitted = try members.names("omitted")
    return schema
  }

  private static let tableKeys = [
    "name", "key", "columns", "groups", "references", "unique", "indexes", "scope", "onDelete",
    "sharedIntegerKey", "found", "foundUnique",
  ]

  private static func table(_ json: JSON, number: Int) throws -> Table {
    let place = name(of: json).map { "table “\($0)”" } ?? "table \(number)"
    let members = try SchemaMembers(json, place, known: tableKeys)
    var table = Table(
      try members.string("name"), key: Key(try members.names("key")),
      columns: try each("columns", "column", members, column),
      groups: try members.nameLists("groups"), unique: try members.nameLists("unique"),
      references: try each("references", "reference", members, reference),
      indexes: try each("indexes", "index", members, index),
      scope: try members.word("scope", default: .synced, [Table.Scope.synced, .local]),
      onDelete: try members.word(
        "onDelete", default: .editRevives, [Table.DeletePolicy.editRevives, .erases]),
      sharedIntegerKey: try members.bool("sharedIntegerKey", default: false))
    table.found = try found(members)
    table.foundUnique = try members.list("foundUnique").map { try foundUnique($0, place) }
    return table
  }

  private static func foundUnique(_ json: JSON, _ place: String) throws -> FoundUnique {
    let members = try SchemaMembers(json, "\(place), foundUnique", known: ["columns", "collations"])
    return FoundUnique(try members.names("columns"), collations: try members.names("collations"))
  }

  private static func found(_ members: SchemaMembers) throws -> FoundTable? {
    guard members.value("found") != nil else { return nil }
    return try members.names("found").reduce(into: []) { found, name in
      guard let known = FoundTable.names.first(where: { $0.name == name }) else {
        throw members.wrong("found", "a list of " + FoundTable.names.map(\.name).joined(separator: ", "))
      }
      found.insert(known.trait)
    }
  }

  private static func each<T>(
    _ key: String, _ word: String, _ table: SchemaMembers, _ read: (JSON, String) throws -> T
  ) throws -> [T] {
    try table.list(key).enumerated().map { number, json in
      try read(json, "\(table.place), \(word) " + (name(of: json).map { "“\($0)”" } ?? "\(number + 1)"))
    }
  }

  private static func name(of json: JSON) -> String? {
    guard case .object(let members) = json,
      case .string(let name)? = members.first(where: { $0.name == "name" })?.value
    else { return nil }
    return name
  }

  private static let columnKeys = [
    "name", "type", "null", "default", "nonEmpty", "maxLength", "range", "finite", "unique", "found",
  ]

  private static func column(_ json: JSON, _ place: String) throws -> Column {
    let members = try SchemaMembers(json, place, known: columnKeys)
    let kind = try members.word("type", default: nil, [ValueRule.Kind.text, .integer, .real, .blob, .any])
    let rule = ValueRule(
      kind, allowsNull: try members.bool("null", default: kind == .any),
      nonEmpty: try members.bool("nonEmpty", default: false),
      finite: try members.bool("finite", default: kind == .real),
      maximumLength: try members.count("maxLength", Int.self), range: try range(members))
    var column = Column(try members.string("name"), rule, defaultValue: try defaultValue(members))
    column.found = try members.value("found").map { try found($0, place) }
    return try members.bool("unique", default: false) ? column.unique : column
  }

  private static func found(_ json: JSON, _ place: String) throws -> FoundColumn {
    let members = try SchemaMembers(json, place + ", found", known: ["type", "collation", "now"])
    var found = FoundColumn(type: try members.string("type"))
    if members.value("collation") != nil { found.collation = try members.string("collation") }
    if members.value("now") != nil {
      found.now = try members.word("now", default: nil, FoundColumn.Now.allCases)
    }
    return found
  }

  /// Two numbers; null for one that is not bounded.
  private static func range(_ members: SchemaMembers) throws -> ClosedRange<Double>? {
    guard members.value("range") != nil else { return nil }
    let bounds = try members.list("range")
    guard bounds.count == 2, let lower = bound(bounds[0], -.infinity),
      let upper = bound(bounds[1], .infinity),
      lower <= upper
    else { throw members.wrong("range", "two numbers, the lesser first, or null for no bound") }
    return lower...upper
  }

  private static func bound(_ json: JSON, _ unbounded: Double) -> Double? {
    switch json {
    case .null: unbounded
    case .integer(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }

  private static func defaultValue(_ members: SchemaMembers) throws -> Value? {
    guard let json = members.value("default") else { return nil }
    switch json {
    case .null: return .null
    case .integer(let number): return .integer(number)
    case .real(let number): return .real(number)
    case .string(let text): return .text(text)
    case .object(let tagged) where tagged.count == 1:
      if let value = value(tagged[0]) { return value }
    default: break
    }
    throw members.wrong("default", #"a number, a string, or {"blob": "00ff"}"#)
  }

  /// What plain JSON cannot say: blobs, infinities, and text that is not UTF-8.
  private static func value(_ tagged: JSON.Member) -> Value? {
    guard case .string(let text) = tagged.value else { return nil }
    switch (tagged.name, text) {
    case ("blob", _): return Hex.bytes(text).map { .blob($0) }
    case ("text", _): return Hex.bytes(text).map { .text($0) }
    case ("real", "inf"): return .real(.infinity)
    case ("real", "-inf"): return .real(-.infinity)
    case ("real", "nan"): return .real(.nan)
    default: return nil
    }
  }

  private static let actions: [Reference.Action] = [.noAction, .restrict, .cascade, .setNull, .setDefault]

  private static func reference(_ json: JSON, _ place: String) throws -> Reference {
    let members = try SchemaMembers(
      json, place, known: ["columns", "table", "parentColumns", "onDelete", "onUpdate"])
    return Reference(
      try members.names("columns"), try members.string("table"),
      parentColumns: try members.names("parentColumns"),
      onDelete: try members.word("onDelete", default: .noAction, actions),
      onUpdate: try members.word("onUpdate", default: .noAction, actions))
  }

  private static func index(_ json: JSON, _ place: String) throws -> Index {
    let members = try SchemaMembers(json, place, known: ["name", "columns"])
    return Index(try members.string("name"), on: try members.names("columns"))
  }
}
