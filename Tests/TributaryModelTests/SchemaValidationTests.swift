import Testing
import TributaryModel

/// A table that nothing is wrong with, changed.
private func table(_ change: (inout Table) -> Void) -> [Table] {
  var table = Table(
    "task", key: "id",
    columns: [.text("title"), .integer("rank").withDefault(.integer(0)), .text("list").orNull])
  change(&table)
  return [table]
}

private struct Flaw: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let expected: String
  let tables: [Table]

  init(_ name: String, _ expected: String, _ tables: [Table]) {
    testDescription = name
    self.expected = expected
    self.tables = tables
  }
}

private let long = String(repeating: "n", count: 129)
private let list = Table("list", key: "id", columns: [.text("name")])

private let flaws: [Flaw] = [
  Flaw("empty table name", "is empty", table { $0.name = "" }),
  Flaw("long table name", "129 bytes long", table { $0.name = long }),
  Flaw("name with NUL", "holds a NUL", table { $0.name = "a\0b" }),
  Flaw("engine's prefix", "begins with “tributary_”", table { $0.name = "Tributary_x" }),
  Flaw("SQLite's prefix", "begins with “sqlite_”", table { $0.name = "sqlite_x" }),
  Flaw("same table", "declared twice", [list, Table("LIST", key: "id", columns: [])]),
  Flaw("empty column name", "is empty", table { $0.columns.append(.text("")) }),
  Flaw("long column name", "129 bytes", table { $0.columns.append(.text(long)) }),
  Flaw("same column", "“TITLE” twice", table { $0.columns.append(.text("TITLE")) }),
  Flaw("column's unique", "lacks the unique set", table { $0.columns.append(.text("sku").unique) }),
  Flaw(
    "column's reference", "lacks the reference", table { $0.columns.append(.text("up").references("task")) }),
  Flaw("no key", "has no key", table { $0.key = [] }),
  Flaw("key twice", "“id” twice in the key", table { $0.key = ["id", "id"] }),
  Flaw("missing key column", "no column “uid”, which the key", table { $0.key = ["uid"] }),
  Flaw("nullable key", "takes NULL in its key", table { $0.key = ["list"] }),
  Flaw("key with default", "default for its key column", table { $0.key = ["id", "rank"] }),
  Flaw("rowid key", "hands out alike", [Table("t", key: "n", columns: [.integer("n")])]),
  Flaw("needless sharedIntegerKey", "not one integer", table { $0.sharedIntegerKey = true }),
  Flaw("unknown in group", "the group names", table { $0.groups = [["title", "x"]] }),
  Flaw("empty group", "no columns in the group", table { $0.groups = [[]] }),
  Flaw("key in group", "key column “id” in a group", table { $0.groups = [["id", "title"]] }),
  Flaw("unknown in unique", "the unique set names", table { $0.unique = [["x"]] }),
  Flaw("unknown in index", "the index “i” names", table { $0.indexes = [Index("i", on: ["x"])] }),
  Flaw("reserved index", "begins with", table { $0.indexes = [Index("sqlite_i", on: ["title"])] }),
  Flaw(
    "same index", "name of an index",
    table { $0.indexes = [Index("i", on: ["title"]), Index("I", on: ["list"])] }),
  Flaw("index as a table", "name of a table", table { $0.indexes = [Index("Task", on: ["title"])] }),
  Flaw("unknown in reference", "no column “x”", table { $0.references = [Reference(["x"], "task")] }),
  Flaw("missing parent", "which is not declared", table { $0.references = [Reference(["list"], "list")] }),
  Flaw("parent's case", "same case", table { $0.references = [Reference(["list"], "Task")] }),
  Flaw(
    "local parent", "the local table “list”",
    table { $0.references = [Reference(["list"], "list")] }
      + [Table("list", key: "id", columns: [], scope: .local)]),
  Flaw(
    "reference's count", "by 2 columns, but 1",
    table { $0.references = [Reference(["list", "title"], "list")] } + [list]),
  Flaw(
    "parent's columns", "“list”.“x”, which is not declared",
    table { $0.references = [Reference(["list"], "list", parentColumns: ["x"])] } + [list]),
  Flaw(
    "parent not unique", "not unique there",
    table { $0.references = [Reference(["list"], "list", parentColumns: ["name"])] } + [list]),
  Flaw(
    "null action", "refuses NULL",
    table { $0.references = [Reference(["title"], "list", onDelete: .setNull)] } + [list]),
  Flaw(
    "default of another kind", "takes integer",
    table { $0.columns.append(.integer("n").withDefault(.text("a"))) }),
  Flaw(
    "default out of range", "from 1.0 to 5.0",
    table { $0.columns.append(.integer("n", range: 1...5).withDefault(.integer(0))) }),
  Flaw("default NULL", "is NULL", table { $0.columns.append(.text("n").withDefault(.null)) }),
  Flaw("default NaN", "not a number", table { $0.columns.append(.any("n").withDefault(.real(.nan))) }),
  Flaw("default with NUL", "NUL", table { $0.columns.append(.text("n").withDefault(.text("a\0"))) }),
  Flaw(
    "default too long", "bytes long",
    table { $0.columns.append(.blob("n").withDefault(.blob(Array(repeating: 0, count: 70_000)))) }),
  Flaw(
    "columns", "has 2001 columns",
    [Table("t", key: "id", columns: (0..<2_000).map { .text("c\($0)") })]),
  Flaw("groups", "1001 groups", table { $0.groups = Array(repeating: ["title"], count: 1_001) }),
  Flaw(
    "tables", "1001 tables", (0..<1_001).map { Table("t\($0)", key: "id", columns: []) }),
]

@Test(arguments: flaws)
private func eachFlawOfASchemaIsNamedOnce(flaw: Flaw) {
  let problems = Schema("com.example.tasks", tables: flaw.tables).problems()
  #expect(problems.count == 1, "\(problems)")
  #expect(problems.first?.contains(flaw.expected) == true, "\(problems)")
  #expect(problems.allSatisfy { $0.hasSuffix(".") })
}

@Test func aSchemaNeedsANameAndAVersion() {
  #expect(Schema("", version: 0, tables: [list]).problems().count == 2)
}

@Test func aSoundSchemaHasNoProblems() {
  let tables = [
    list,
    Table(
      "item", key: ["list", "position"],
      columns: [
        .text("list").references("list", onDelete: .cascade), .integer("position"), .text("sku").unique,
        .real("x"), .real("y").withDefault(.integer(1)),
        .text("owner").orNull.references("list", onDelete: .setNull),
      ], groups: [["x", "y"]], unique: [["x", "y"]], indexes: [Index("by owner", on: ["owner"])]),
    Table("counterpart", key: "n", columns: [.integer("n")], sharedIntegerKey: true),
    Table("cache", key: "n", columns: [.integer("n")], scope: .local),
  ]
  #expect(Schema("com.example", tables: tables).problems() == [])
}
