import SQLite
import Testing
import TributaryModel
import TributaryStore

private let list = Table("list", key: "id", columns: [.text("name")])

private let item = Table(
  "item", key: ["list", "position"],
  columns: [
    .text("list").references("list", onDelete: .cascade), .integer("position"),
    .text("title", nonEmpty: true),
    .real("price").withDefault(.integer(3)), .blob("icon").orNull, .any("extra"),
    .text("it's").withDefault(.text("o'clock")), .text("sku").unique,
  ], groups: [["price", "icon"]], unique: [["title", "extra"]], indexes: [Index("by title", on: ["title"])])

@Test func missingTablesAreMadeAsDeclared() throws {
  let connection = try ownedMemory()
  try reconcile(connection, [list, item])
  let info = try #require(try connection.table("item"))
  #expect(info.primaryKey.map(\.name) == ["list", "position"])
  #expect(
    info.columns.map(\.declaredType) == ["TEXT", "INTEGER", "TEXT", "REAL", "BLOB", "", "TEXT", "TEXT"])
  #expect(info.columns.map(\.notNull) == [true, true, false, true, false, false, true, false])
  #expect(info.columns.map(\.defaultSQL) == [nil, nil, nil, "3", nil, nil, "'o''clock'", nil])
  #expect(info.foreignKeys.map(\.onDelete) == [.cascade])
  #expect(info.uniqueIndexes.contains { $0.columns.map(\.name) == ["sku"] && $0.name == "item_sku_unique" })
  #expect(info.indexes.contains { $0.name == "by title" && !$0.isUnique })
}

@Test func shapesSayHowTheTablesLook() throws {
  let connection = try ownedMemory()
  let shapes = try reconcile(connection, [list, item])
  #expect(shapes.map(\.name) == ["list", "item"] && shapes.map(\.type) == [1, 2])
  let shape = shapes[1]
  #expect(shape.key.map(\.name) == ["list", "position"] && shape.key.map(\.index) == [0, 1])
  #expect(shape.fields.map(\.name) == ["title", "price", "icon", "extra", "it's", "sku"])
  #expect(
    shape.fields.map(\.index) == [2, 3, 4, 5, 6, 7] && shape.fields.map(\.field) == [0, 1, 2, 3, 4, 5])
  #expect(shape.fields.map(\.isNotNull) == [false, true, false, false, true, false])
  #expect(shape.fields.map(\.takesNull) == [false, false, true, true, false, false])
  #expect(shape.fields.map(\.defaultValue) == [nil, .real(3), nil, nil, .text("o'clock"), nil])
  let whole = FieldMask([0, 3])
  #expect(shape.groups == [0: whole, 3: whole, 1: FieldMask([1, 2]), 2: FieldMask([1, 2])])
  #expect(shape.foreignKeys == [.init(columns: ["list"], parent: "list", parentColumns: ["id"])])
  #expect(Set(shape.unique.map(\.columns)) == [["title", "extra"], ["sku"]])
  #expect(!shape.isRowIDKey && !shape.isWithoutRowID && shape.otherColumns == [])
}

@Test func groupsThatShareAFieldAreOne() throws {
  let table = Table(
    "t", key: "id", columns: ["a", "b", "c", "d", "e", "f"].map { .text($0) },
    groups: [["a", "b"], ["c", "d"], ["b", "c"]])
  let shape = try #require(try reconcile(try ownedMemory(), [table]).first)
  let all = FieldMask([0, 1, 2, 3])
  #expect(shape.groups == [0: all, 1: all, 2: all, 3: all])
}

@Test func admissionLearnsTheRulesFromTheShapes() throws {
  let types = try reconcile(try ownedMemory(), [list, item]).recordTypes
  #expect(Set(types.keys) == ["list", "item"])
  #expect(types["item"]?.key.map(\.kind) == [.text, .integer])
  #expect(types["item"]?.fields["title"]?.nonEmpty == true)
}

@Test func anUpgradeAddsColumnsTablesAndIndexes() throws {
  let connection = try ownedMemory()
  try reconcile(connection, [list])
  try connection.execute("INSERT INTO list VALUES('l', 'Milk')")
  let grown = Table(
    "list", key: "id",
    columns: [
      .text("name"), .text("note").unique, .integer("rank").withDefault(.integer(7)),
      .text("parent").references("list"), .text("colour").orNull.withDefault(.text("red")),
    ], indexes: [Index("by rank", on: ["rank"])])
  let shapes = try reconcile(connection, [grown, item])
  let row = try connection.rows("SELECT * FROM list")
  #expect(row == [[.text("l"), .text("Milk"), .null, .integer(7), .null, .text("red")]])
  #expect(shapes.map(\.name) == ["list", "item"] && shapes.map(\.type) == [1, 2])
  #expect(shapes[0].fields.map(\.field) == [0, 1, 2, 3, 4])
  let info = try #require(try connection.table("list"))
  #expect(Set(info.indexes.map(\.name)).isSuperset(of: ["by rank", "list_note_unique"]))
  #expect(info.foreignKeys.map(\.parentTable) == ["list"])
}

@Test func openingAgainChangesNothing() throws {
  let connection = try ownedMemory()
  let first = try reconcile(connection, [list, item])
  let version = try connection.schemaVersion
  let changes = connection.totalChanges
  let second = try reconcile(connection, [list, item])
  #expect(try connection.schemaVersion == version && connection.totalChanges == changes)
  #expect(first.map(\.fields).map { $0.map(\.field) } == second.map(\.fields).map { $0.map(\.field) })
}

@Test func anOlderBuildLeavesNewerColumnsAlone() throws {
  let connection = try ownedMemory()
  let grown = Table(
    "list", key: "id",
    columns: [
      .text("name"), .text("note"), .integer("rank").withDefault(.integer(7)),
      .text("up").references("item2"),
    ])
  try reconcile(connection, [grown, Table("item2", key: "id", columns: [])])
  let shape = try #require(try reconcile(connection, [list]).first)
  #expect(shape.otherColumns == ["note", "rank", "up"])
  #expect(shape.fields.map(\.name) == ["name"] && shape.foreignKeys.isEmpty)
  let again = try #require(try reconcile(connection, [grown, Table("item2", key: "id", columns: [])]).first)
  #expect(again.fields.map(\.field) == [0, 1, 2, 3] && again.otherColumns == [])
  #expect(again.foreignKeys.map(\.parent) == ["item2"])
}

@Test func localTablesAreMadeAndGiveNoShape() throws {
  let connection = try ownedMemory()
  let local = Table("cache", key: "n", columns: [.integer("n"), .text("x")], scope: .local)
  #expect(try reconcile(connection, [local]).isEmpty)
  try connection.execute("INSERT INTO cache(x) VALUES('a')")
  #expect(try connection.integer("SELECT n FROM cache") == 1)
  #expect(try connection.integer("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'") == 0)
}

@Test func aSharedIntegerKeyIsTheRowID() throws {
  let table = Table("t", key: "n", columns: [.integer("n"), .text("x")], sharedIntegerKey: true)
  let shape = try #require(try reconcile(try ownedMemory(), [table]).first)
  #expect(shape.isRowIDKey)
}

@Test func awkwardNamesWork() throws {
  let names = [
    "select", "a b", "\"quoted\"", "it's", "😀", "[x]", "`y`", "semi;colon", "percent%", "ünï", "rowid",
  ]
  var tables = names.map { name in
    Table(
      name, key: Key(["key " + name]), columns: names.map { Column.text($0).orNull } + [.text("group")],
      unique: [[name, "group"]], indexes: [Index("index " + name, on: [name])])
  }
  tables[0].references = [Reference(["a b"], "\"quoted\"", onDelete: .setNull)]
  let connection = try ownedMemory()
  let shapes = try reconcile(connection, tables)
  #expect(shapes.map(\.name) == names && shapes[1].fields.map(\.name) == names + ["group"])
  for name in names {
    try connection.execute("INSERT INTO \(quoted(name))(\(quoted("key " + name))) VALUES('k')")
  }
  let version = try connection.schemaVersion
  #expect(try reconcile(connection, tables).count == names.count)
  #expect(try connection.schemaVersion == version)
}

@Test func aFailureLeavesNothingBehind() throws {
  let connection = try ownedMemory("CREATE TABLE bad(x)")
  let numbers = LocalNumbers(connection)
  let schema = Schema("s", tables: [list, Table("bad", key: "id", columns: [])])
  try connection.transaction(.immediate) {
    let error = storeError { _ = try SchemaReconciler(connection).reconcile(schema, numbers: numbers) }
    #expect(error?.code == .schema)
  }
  #expect(try connection.tableNames() == ["bad"])
  #expect(try reconcile(connection, [list]).map(\.type) == [1])
}

@Test func defaultsOfAppTablesAreReadWhenTheyAreLiterals() throws {
  let connection = try ownedMemory(
    """
    CREATE TABLE t(id TEXT PRIMARY KEY, a TEXT NOT NULL DEFAULT 'it''s', b INTEGER DEFAULT -5, c REAL DEFAULT 2,
      d TEXT DEFAULT CURRENT_TIMESTAMP, e BLOB DEFAULT x'00FF', f TEXT DEFAULT ('a' || random() || 'b'),
      g INTEGER DEFAULT TRUE, h)
    """)
  let columns: [Column] = [
    .text("a").orNull, .integer("b"), .real("c"), .text("d"), .blob("e"), .text("f"), .integer("g"),
    .any("h"),
  ]
  let shape = try #require(try reconcile(connection, [Table("t", key: "id", columns: columns)]).first)
  let expected: [Value?] = [
    .text("it's"), .integer(-5), .real(2), nil, .blob([0, 255]), nil, .integer(1), nil,
  ]
  #expect(shape.fields.map(\.defaultValue) == expected)
  #expect(shape.fields[0].rule.allowsNull == false && shape.fields[0].isNotNull)
}

@Test func columnsArePlacedAsTheyAreDeclared() throws {
  let columns = "id TEXT PRIMARY KEY, v AS (id || 'v'), s AS (id || 's') STORED, a TEXT"
  let connection = try ownedMemory("CREATE TABLE t(\(columns)); CREATE TABLE w(\(columns)) WITHOUT ROWID")
  let tables = ["t", "w"].map { Table($0, key: "id", columns: [.text("a")]) }
  let shapes = try reconcile(connection, tables)
  #expect(shapes.map { $0.fields.map(\.index) } == [[3], [3]])
  #expect(shapes.map(\.isWithoutRowID) == [false, true])
  #expect(shapes[0].otherColumns == ["v", "s"])
}
