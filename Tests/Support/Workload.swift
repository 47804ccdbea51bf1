import SQLite
package import TributaryModel
package import TributaryStore

/// What simulated apps keep: lists, items that refer to them and to each other, secrets that deletes erase, and tables
/// with every kind of key and rule that the engine treats in a way of its own.
package enum Workload {
  package static let schema = Schema(
    "com.example.simulated",
    tables: [
      Table("list", key: "id", columns: [.text("name")]),
      Table(
        "item", key: "id",
        columns: [
          .text("title"), .text("code").orNull.unique, .text("list").references("list", onDelete: .cascade),
          .text("parent").orNull.references("item", onDelete: .setNull), .text("due").orNull,
          .text("zone").orNull,
          .integer("priority").withDefault(0),
        ], groups: [["due", "zone"]]),
      Table("secret", key: "id", columns: [.text("value").orNull, .text("note").orNull], onDelete: .erases),
      Table(
        "place", key: ["list", "position"],
        columns: [
          .text("list").references("list", onDelete: .cascade), .integer("position"), .text("label").orNull,
        ]),
      Table(
        "photo", key: "hash",
        columns: [
          .blob("hash"), .blob("data").orNull, .text("item").orNull.references("item", onDelete: .setNull),
        ]),
      Table("tag", key: "name", columns: [.text("color").orNull, .real("weight").orNull]),
      Table("guest", key: "id", columns: [.text("badge").unique]),
      Table(
        "seat", key: "id",
        columns: [
          .text("line").orNull, .integer("number").orNull,
          .text("guest").orNull.references("guest", onDelete: .setNull),
        ], unique: [["line", "number"]]),
      Table("history", key: "n", columns: [.integer("n"), .text("item"), .text("title")], scope: .local),
    ])

  /// A table of the app's own making, which the schema only names.
  private static let ownTables = """
    CREATE TABLE IF NOT EXISTS tag(name TEXT NOT NULL, color TEXT, weight REAL, PRIMARY KEY(name)) WITHOUT ROWID
    """

  /// The app's trigger writes into a table that stays on the device.
  private static let trigger = """
    CREATE TRIGGER IF NOT EXISTS item_history AFTER UPDATE OF title ON item
    BEGIN INSERT INTO history(item, title) VALUES(new.id, new.title); END
    """

  /// Opens a store as an app of this schema does, or of one of its own.
  package static func open(
    _ path: String, schema: Schema = Workload.schema, wall: @escaping () -> Int64
  ) throws -> StoreCore {
    guard schema == Self.schema else { return try StoreCore.open(path, schema: schema, wall: wall) }
    let connection = try Connection.open(path)
    try connection.execute(ownTables)
    connection.close()
    let store = try StoreCore.open(path, schema: schema, wall: wall)
    try store.write { try $0.execute(trigger) }
    return store
  }

  /// A query of a synced table's whole content: the key, then the fields, in the order of keys.
  package static func query(_ table: Table) -> String {
    let names = (table.key + table.fields.map(\.name)).map { "\"\($0)\"" }
    return "SELECT \(names.joined(separator: ",")) FROM \"\(table.name)\" ORDER BY "
      + table.key.map { "\"\($0)\"" }.joined(separator: ",")
  }

  /// Every row of every synced table, by table.
  package static func rows(_ store: StoreCore, _ schema: Schema = Workload.schema) throws -> [String:
    [[Value]]]
  {
    try store.read { db in
      var all: [String: [[Value]]] = [:]
      for table in schema.syncedTables { all[table.name] = try db.rows(query(table)).map(\.values) }
      return all
    }
  }
}

extension Workload {
  /// The fields that an edit of some fields stamps with them, as the schema says: those of one group, or of one
  /// rule over several columns.
  package static func grouped(
    _ fields: [String], in table: String, _ schema: Schema = Workload.schema
  ) -> Set<String> {
    guard let table = schema.tables.first(where: { $0.name == table }) else { return [] }
    let groups = (table.groups + table.unique).filter { !Set(fields).isDisjoint(with: $0) }
    return Set(groups.flatMap(\.self)).subtracting(fields)
  }
}
