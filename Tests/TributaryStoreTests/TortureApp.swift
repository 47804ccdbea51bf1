import SQLite
import TestSupport
import TributaryModel

/// Another program that writes without knowing of the engine: random transactions, most of them legal.
struct TortureApp {
  let app: Connection
  let tables: [TortureTable]
  /// `table.column` of what statements set in rows that were there.
  private(set) var named: Set<String> = []
  /// Tables in which rows may have changed otherwise than by being deleted.
  private(set) var written: Set<String> = []
  /// What was run, to see when a seed fails.
  private(set) var script: [String] = []

  init(_ app: Connection, _ tables: [TortureTable]) {
    self.app = app
    self.tables = tables
  }

  /// One burst between two syncs.
  mutating func burst(_ random: inout Splitmix) throws {
    named = []
    written = []
    for _ in 0..<1 + random.below(4) { try transaction(&random) }
  }

  private mutating func transaction(_ random: inout Splitmix) throws {
    if random.chance(30) { return run(statement(&random)) }
    note("BEGIN")
    try app.execute("BEGIN")
    for _ in 0..<1 + random.below(5) {
      guard app.inTransaction else { return }
      if random.chance(15) { try savepoint(&random) } else { run(statement(&random)) }
    }
    guard app.inTransaction else { return }
    let end = random.chance(85) ? "COMMIT" : "ROLLBACK"
    note(end)
    do { try app.execute(end) } catch { try app.execute("ROLLBACK") }
  }

  private mutating func savepoint(_ random: inout Splitmix) throws {
    note("SAVEPOINT s")
    try app.execute("SAVEPOINT s")
    run(statement(&random))
    guard app.inTransaction else { return }
    let end = random.chance(60) ? "ROLLBACK TO s; RELEASE s" : "RELEASE s"
    note(end)
    try app.execute(end)
  }

  private mutating func note(_ line: String) { script.append(line) }

  private mutating func run(_ statement: (sql: String, values: [Value])) {
    do {
      try app.execute(statement.sql, statement.values)
      note("\(statement.sql) -- \(statement.values)")
    } catch {
      note("\(statement.sql) -- \(statement.values) fails: \(error)")
    }
  }
}

extension TortureApp {
  private typealias Made = (sql: String, values: [Value])

  private mutating func statement(_ random: inout Splitmix) -> (sql: String, values: [Value]) {
    let table = tables[random.below(tables.count)]
    switch random.below(table.fields.isEmpty ? 7 : 12) {
    case 0, 1: return insert(table, &random)
    case 2: return insert(table, &random, end: upsert(table, &random))
    case 3, 4: return delete(table, &random)
    case 5, 6: return rekey(table, &random)
    case 7: return swap(table, &random)
    default: return update(table, &random)
    }
  }

  private mutating func insert(_ table: TortureTable, _ random: inout Splitmix, end: String = "") -> Made {
    written.insert(table.name)
    if table.name == "doc", random.chance(20) {
      return ("INSERT INTO bodies VALUES(?1,?2)", [.integer(Int64(random.below(6))), .text("by view")])
    }
    let fields = table.fields.filter { _ in random.chance(80) }
    let columns = table.key + fields
    var values: [Value] = []
    let rows = (0..<1 + random.below(3)).map { _ in
      for (place, column) in columns.enumerated() {
        let isNull = place < table.key.count && random.chance(3)
        values.append(isNull ? .null : column.pool.value(&random, isKey: place < table.key.count))
      }
      return "(\(columns.map { _ in "?" }.joined(separator: ",")))"
    }
    let names = columns.map { quoted($0.name) }.joined(separator: ",")
    let verbs = [
      "INSERT", "INSERT OR REPLACE", "INSERT OR REPLACE", "INSERT OR IGNORE", "INSERT OR FAIL", "REPLACE",
      "INSERT OR ROLLBACK",
    ]
    let verb = end.isEmpty ? verbs[random.below(verbs.count)] : "INSERT"
    return ("\(verb) INTO \(quoted(table.name))(\(names)) VALUES\(rows.joined(separator: ","))\(end)", values)
  }

  private mutating func upsert(_ table: TortureTable, _ random: inout Splitmix) -> String {
    guard let field = table.fields.randomElement(using: &random) else { return " ON CONFLICT DO NOTHING" }
    named.insert("\(table.name).\(field.name)")
    return " ON CONFLICT DO UPDATE SET \(quoted(field.name))=excluded.\(quoted(field.name))"
  }

  private mutating func update(_ table: TortureTable, _ random: inout Splitmix) -> Made {
    let set = (0..<1 + random.below(3)).map { _ in table.fields[random.below(table.fields.count)] }
    let columns = Dictionary(set.map { ($0.name, $0.pool) }) { first, _ in first }.sorted { $0.key < $1.key }
    for column in columns { named.insert("\(table.name).\(column.key)") }
    written.insert(table.name)
    let sets = columns.map { "\(quoted($0.key))=?" }.joined(separator: ",")
    let values = columns.map { $0.value.value(&random, isKey: false) }
    let (test, more) = self.test(table, &random)
    return ("UPDATE \(conflict(&random)) \(quoted(table.name)) SET \(sets) WHERE \(test)", values + more)
  }

  private mutating func swap(_ table: TortureTable, _ random: inout Splitmix) -> Made {
    let (a, b) = (
      table.fields[random.below(table.fields.count)].name, table.fields[random.below(table.fields.count)].name
    )
    for name in [a, b] { named.insert("\(table.name).\(name)") }
    written.insert(table.name)
    let sets = a == b ? "\(quoted(a))=\(quoted(a))" : "\(quoted(a))=\(quoted(b)),\(quoted(b))=\(quoted(a))"
    return ("UPDATE \(conflict(&random)) \(quoted(table.name)) SET \(sets)", [])
  }

  private mutating func rekey(_ table: TortureTable, _ random: inout Splitmix) -> Made {
    written.insert(table.name)
    let key = table.key[random.below(table.key.count)]
    let head = "UPDATE \(conflict(&random)) \(quoted(table.name)) SET \(quoted(key.name))="
    if key.pool == .number, random.chance(40) { return ("\(head)\(quoted(key.name))+1", []) }
    let (test, more) = self.test(table, &random)
    return ("\(head)? WHERE \(test)", [key.pool.value(&random, isKey: true)] + more)
  }

  private func delete(_ table: TortureTable, _ random: inout Splitmix) -> Made {
    if random.chance(15) { return ("DELETE FROM \(quoted(table.name))", []) }
    let (test, values) = test(table, &random)
    return ("DELETE FROM \(quoted(table.name)) WHERE \(test)", values)
  }

  private func conflict(_ random: inout Splitmix) -> String {
    ["", "", "OR REPLACE", "OR REPLACE", "OR IGNORE"][random.below(5)]
  }

  private func test(_ table: TortureTable, _ random: inout Splitmix) -> (String, [Value]) {
    if random.chance(15) { return ("TRUE", []) }
    let key = table.key[random.below(table.key.count)]
    let operation = ["=", "=", "<=", ">"][random.below(4)]
    return ("\(quoted(key.name))\(operation)?", [key.pool.value(&random, isKey: true)])
  }
}
