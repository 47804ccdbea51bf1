import SQLite
package import TributaryModel

/// The tables of a database that other programs made, described so that other devices can make them alike, and what
/// stands in the way.
package struct FoundSchema: Sendable {
  /// Why a table cannot be synced.
  package struct Refusal: Sendable, Hashable {
    package var table: String
    /// The end of a sentence about the table.
    package var problem: String
    package var remedy: String
  }

  /// What is asked for.
  package struct Wish: Sendable, Hashable {
    /// The name of the data, the same on every device.
    package var name: String
    /// The tables to sync; nil for all that there are, later ones too.
    package var tables: [String]?
    /// Whether keys that SQLite hands out are taken: two devices may then use one for two things, which is reported.
    package var sharesIntegerKeys: Bool

    package init(name: String, tables: [String]? = nil, sharesIntegerKeys: Bool = false) {
      self.name = name
      self.tables = tables
      self.sharesIntegerKeys = sharesIntegerKeys
    }
  }

  package var schema: Schema
  package var refusals: [Refusal] = []
  /// What SQLite knows of the tables, by their names.
  var infos: [String: TableInfo] = [:]

  /// Looks at the database, and changes nothing.
  static func read(_ connection: Connection, _ wish: Wish) throws -> FoundSchema {
    let all = try connection.tableNames().filter { !$0.sqlFolded.hasPrefix(LocalTables.prefix) }
    var found = FoundSchema(schema: Schema(wish.name, tables: []))
    let wanted = wish.tables.map { Set($0.map(\.sqlFolded)) }
    let names = all.filter { wanted?.contains($0.sqlFolded) ?? true }
    let infos = try names.compactMap { try connection.table($0) }
    let present = Dictionary(infos.map { ($0.name.sqlFolded, $0) }) { first, _ in first }
    for name in wish.tables ?? [] where present[name.sqlFolded] == nil {
      found.refusals.append(try refusal(ofMissing: name, connection))
    }
    for info in infos {
      found.infos[info.name] = info
      let table = FoundTableReader(info: info, sharesIntegerKeys: wish.sharesIntegerKeys, synced: present)
      found.schema.tables.append(try table.table(connection))
      found.refusals += table.refusals()
    }
    found.schema.omitted = try Omissions(connection).lines(of: found)
    return found
  }

  private static func refusal(ofMissing name: String, _ connection: Connection) throws -> Refusal {
    guard let info = try connection.table(name) else {
      return Refusal(table: name, problem: "is not in the database", remedy: "Check the spelling.")
    }
    let what =
      switch info.kind {
      case .view: "a view"
      case .virtual: "a virtual table"
      case .shadow: "part of a virtual table"
      case .table: "one of Tributary's own or of SQLite's"
      }
    return Refusal(table: name, problem: "is \(what)", remedy: "Sync the tables that it is made of.")
  }
}

/// Describes one table as it was found.
struct FoundTableReader {
  let info: TableInfo
  let sharesIntegerKeys: Bool
  /// All tables that are synced, by their folded names.
  let synced: [String: TableInfo]

  /// More would not fit the table in which edits are noted, which has SQLite's limit of 2,000.
  private static let mostColumns = 1_900

  func table(_ connection: Connection) throws -> Table {
    var table = Table(
      info.name, key: Key(info.primaryKey.map(\.name)), columns: try columns(connection),
      unique: unique, references: references, indexes: indexes, sharedIntegerKey: isNumbered)
    table.found = traits(try connection.sql(ofTable: info.name))
    table.foundUnique = foundUnique
    return table
  }

  /// Whether SQLite hands out the keys.
  private var isNumbered: Bool { info.rowIDAlias != nil }

  private func columns(_ connection: Connection) throws -> [Column] {
    let key = Set(info.primaryKey.map(\.name))
    return try info.columns.filter { !$0.isGenerated }.map { column in
      let isKey = key.contains(column.name)
      let rule = ValueRule(kind(column), allowsNull: !isKey && !column.notNull)
      var declared = Column(column.name, rule)
      declared.found = FoundColumn(
        type: column.declaredType, collation: collation(column),
        now: column.defaultSQL.flatMap { FoundColumn.Now(rawValue: $0.uppercased()) })
      if !isKey, let sql = column.literalDefault {
        declared.defaultValue = try connection.value("SELECT \(sql)").flatMap { $0.isNull ? nil : $0 }
      }
      return declared
    }
  }

  /// Only a STRICT table keeps other kinds out; any other takes every value in every column.
  private func kind(_ column: ColumnInfo) -> ValueRule.Kind {
    if column.primaryKeyIndex > 0, isNumbered { return .integer }
    // An integer as the only key would be taken for one that SQLite hands out.
    guard info.isStrict, column.primaryKeyIndex == 0 || info.primaryKey.count > 1 else { return .any }
    let type = column.declaredType.sqlFolded
    return type == "int" ? .integer : ValueRule.Kind(rawValue: type) ?? .any
  }

  private func collation(_ column: ColumnInfo) -> String? {
    column.collation.sqlFolded == Collation.binary.sqlFolded ? nil : column.collation.uppercased()
  }

  private var unique: [[String]] {
    info.uniqueIndexes.filter { $0.origin != .primaryKey && !info.comparesOtherwise($0) }
      .map { $0.columns.compactMap(\.name) }
  }

  /// Of the primary key too: the key itself compares as its columns do.
  private var foundUnique: [FoundUnique] {
    info.uniqueIndexes.filter(info.comparesOtherwise).map { index in
      FoundUnique(
        index.columns.compactMap(\.name), collations: index.columns.map { $0.collation.uppercased() })
    }
  }

  /// References as SQLite understands them. One to columns that are not unique is none: SQLite cannot keep it either.
  private var references: [Reference] {
    info.foreignKeys.compactMap { key in
      guard let parent = synced[key.parentTable.sqlFolded] else { return nil }
      let columns = key.columns.compactMap { Self.name($0, in: info) }
      let parents =
        key.parentColumns?.compactMap { Self.name($0, in: parent) } ?? parent.primaryKey.map(\.name)
      let unique = parent.uniqueIndexes.filter { !parent.comparesOtherwise($0) }
      let sets = [parent.primaryKey.map(\.name)] + unique.map { $0.columns.compactMap(\.name) }
      guard columns.count == parents.count, columns.count == key.columns.count,
        sets.contains(where: { Set($0) == Set(parents) })
      else { return nil }
      return Reference(
        columns, parent.name, parentColumns: key.parentColumns == nil ? [] : parents,
        onDelete: Reference.Action(key.onDelete), onUpdate: Reference.Action(key.onUpdate))
    }
  }

  /// The column's name in the case of its own declaration.
  private static func name(_ column: String, in table: TableInfo) -> String? {
    table.columns.first { $0.name.sqlFolded == column.sqlFolded }?.name
  }

  private var indexes: [Index] {
    info.indexes.filter { index in
      index.origin == .created && !index.isUnique && !index.isPartial
        && index.columns.allSatisfy { $0.name != nil }
        && index.name.utf8.count <= SchemaLimits.name
    }.map { Index($0.name, on: $0.columns.compactMap(\.name)) }
  }

  private func traits(_ sql: String) -> FoundTable {
    var traits: FoundTable = []
    if info.isStrict { traits.insert(.strict) }
    if info.isWithoutRowID { traits.insert(.withoutRowID) }
    if isNumbered, SQLWords(sql).contains("AUTOINCREMENT") { traits.insert(.autoincrement) }
    return traits
  }
}

extension FoundTableReader {
  /// What keeps the table from being synced.
  func refusals() -> [FoundSchema.Refusal] {
    var problems: [(String, String)] = []
    if info.primaryKey.isEmpty {
      problems.append(
        (
          "has no primary key, so that its rows cannot be told apart",
          "Rebuild it with one, or leave it out with --table."
        ))
    }
    if isNumbered, !sharesIntegerKeys {
      problems.append(
        (
          "has keys that SQLite hands out (“\(info.primaryKey[0].name)”), alike on every device",
          "Give --shared-integer-keys if that may be: two rows that two devices make under one key are then one, and "
            + "reported as a conflict."
        ))
    }
    let generated = Set(info.columns.filter(\.isGenerated).map(\.name))
    for index in info.indexes where index.isUnique {
      let names = index.columns.map(\.name)
      if index.isPartial || names.contains(nil)
        || names.contains(where: { $0.map(generated.contains) ?? false })
      {
        problems.append(
          (
            "has the unique index “\(index.name)” over a part of its rows or over computed values, which other devices cannot keep alike",
            "Replace it by a unique index over plain columns, or by one that is not unique."
          ))
      }
    }
    for column in info.columns
    where !FoundColumn(type: column.declaredType).isPlainType && !column.isGenerated {
      problems.append(
        ("has a column “\(column.name)” of the type “\(column.declaredType)”", "Give it a plain type."))
    }
    for column in info.columns {
      guard let name = collation(column), !FoundColumn.collations.contains(name) else { continue }
      problems.append(
        (
          "has a column “\(column.name)” that compares by \(name), which only its own app knows",
          "Leave the table out with --table."
        ))
    }
    for index in info.uniqueIndexes {
      let names = index.columns.map { $0.collation.uppercased() }
      guard info.comparesOtherwise(index), let name = names.first(where: { !FoundUnique.known.contains($0) })
      else { continue }
      problems.append(
        (
          "has the unique index “\(index.name)”, which compares by \(name), which only its own app knows",
          "Leave the table out with --table."
        ))
    }
    for key in info.foreignKeys where synced[key.parentTable.sqlFolded] == nil {
      problems.append(
        (
          "refers to “\(key.parentTable)”, which is not synced, so that other devices lack its rows",
          "Sync that table as well, or leave this one out with --table."
        ))
    }
    if info.columns.count > Self.mostColumns {
      problems.append(
        ("has \(info.columns.count) columns", "Only tables of at most \(Self.mostColumns) can be synced."))
    }
    return problems.map { FoundSchema.Refusal(table: info.name, problem: $0, remedy: $1) }
  }
}

extension TableInfo {
  /// Whether an index compares otherwise than its columns do.
  fileprivate func comparesOtherwise(_ index: IndexInfo) -> Bool {
    index.columns.contains { part in
      columns.first { $0.name == part.name }?.collation.sqlFolded != part.collation.sqlFolded
    }
  }
}

extension Reference.Action {
  fileprivate init(_ action: ForeignKeyInfo.Action) {
    self =
      switch action {
      case .noAction: .noAction
      case .restrict: .restrict
      case .cascade: .cascade
      case .setNull: .setNull
      case .setDefault: .setDefault
      }
  }
}
