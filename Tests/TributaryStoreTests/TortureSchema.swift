import TestSupport
import TributaryModel

/// A table that random statements write.
struct TortureTable: Sendable {
  enum Pool: Sendable { case number, text, blob, any }

  var name: String
  var key: [(name: String, pool: Pool)]
  var fields: [(name: String, pool: Pool)]
  /// Fields that a rule over several columns, a trigger or a foreign key changes beside what a statement names.
  var linked: Set<String> = []
  var sql: String
}

/// Every kind of table that SQLite has, with names that need quoting.
enum TortureSchema {
  static let tables: [TortureTable] = [
    TortureTable(
      name: "plain rows", key: [("id", .number)],
      fields: [
        ("title \"quoted\"", .text), ("n", .any), ("r", .any), ("any", .any), ("num", .any), ("code", .text),
        ("a", .any),
        ("b", .number),
      ], linked: ["a", "b"],
      sql: """
        CREATE TABLE "plain rows"(id INTEGER PRIMARY KEY, "title ""quoted""\" TEXT, n INTEGER, r REAL, "any", num NUMERIC,
          code TEXT UNIQUE, a, b NOT NULL DEFAULT 3, UNIQUE(a,b));
        """),
    TortureTable(
      name: "words", key: [("word", .text)], fields: [("meaning", .any)],
      sql: "CREATE TABLE words(word TEXT PRIMARY KEY, meaning);"),
    TortureTable(
      name: "bare", key: [("word", .text)], fields: [],
      sql: "CREATE TABLE bare(word TEXT PRIMARY KEY);"),
    TortureTable(
      name: "folded", key: [("name", .text)], fields: [("v", .any), ("tag", .text), ("both", .text)],
      sql: """
        CREATE TABLE folded(name TEXT PRIMARY KEY COLLATE NOCASE, v, tag TEXT COLLATE RTRIM UNIQUE,
          both TEXT NOT NULL DEFAULT 'B' COLLATE NOCASE UNIQUE);
        CREATE UNIQUE INDEX "both exact" ON folded(both COLLATE BINARY);
        """),
    TortureTable(
      name: "untyped", key: [("k", .any)], fields: [("v", .any)],
      sql: "CREATE TABLE untyped(k PRIMARY KEY NOT NULL, v);"),
    TortureTable(
      name: "pair", key: [("x", .text), ("y", .number)], fields: [("v", .any), ("w", .text), ("z", .text)],
      linked: ["w", "z"],
      sql: """
        CREATE TABLE pair(v, x TEXT, y INTEGER, w TEXT COLLATE NOCASE, z TEXT COLLATE RTRIM, PRIMARY KEY(x,y),
          UNIQUE(w,z)) WITHOUT ROWID;
        """),
    TortureTable(
      name: "bytes", key: [("h", .blob)], fields: [("v", .blob)],
      sql: "CREATE TABLE bytes(h BLOB PRIMARY KEY NOT NULL, v BLOB NOT NULL DEFAULT x'00');"),
    TortureTable(
      name: "strictly", key: [("id", .number)],
      fields: [("t", .text), ("i", .number), ("r", .any), ("b", .blob), ("a", .any)],
      sql:
        "CREATE TABLE strictly(id INT PRIMARY KEY NOT NULL, t TEXT, i INTEGER, r REAL, b BLOB, a ANY) STRICT;"
    ),
    TortureTable(
      name: "select", key: [("order", .text)], fields: [("group", .any)],
      sql: """
        CREATE TABLE "select"("from" AS (length("group")) STORED, "order" TEXT PRIMARY KEY, "where" AS ("group"||'!'),
          "group");
        """),
    TortureTable(
      name: "émoji 🙂[x]", key: [("🙂", .text)], fields: [("v[1]", .any), ("`", .any)],
      sql: "CREATE TABLE \"émoji 🙂[x]\"(\"🙂\" TEXT PRIMARY KEY, \"v[1]\", \"`\");"),
  ]

  static let family: [TortureTable] = [
    TortureTable(
      name: "parent[s]", key: [("id", .text)], fields: [("alias", .text), ("up", .text)], linked: ["up"],
      sql: """
        CREATE TABLE "parent[s]"(id TEXT PRIMARY KEY NOT NULL, alias TEXT UNIQUE,
          up TEXT REFERENCES "parent[s]"(id) ON DELETE SET NULL ON UPDATE CASCADE);
        """),
    TortureTable(
      name: "child", key: [("id", .number)], fields: [("p", .text), ("q", .text), ("r", .text), ("v", .any)],
      linked: ["p", "q", "r"],
      sql: """
        CREATE TABLE child(id INTEGER PRIMARY KEY, p TEXT NOT NULL REFERENCES "parent[s]" ON DELETE CASCADE ON UPDATE CASCADE,
          q TEXT REFERENCES "parent[s]"(id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
          r TEXT REFERENCES "parent[s]"(alias) ON DELETE RESTRICT, v);
        CREATE INDEX "by p" ON child(p);
        """),
  ]

  static let documents: [TortureTable] = [
    TortureTable(
      name: "doc", key: [("id", .number)], fields: [("body", .text), ("modified", .number)],
      linked: ["modified"],
      sql: """
        CREATE TABLE doc(id INTEGER PRIMARY KEY, body TEXT, modified INTEGER);
        CREATE VIRTUAL TABLE doc_fts USING fts5(body, content='doc', content_rowid='id');
        CREATE VIRTUAL TABLE place USING rtree(id, x0, x1);
        CREATE TABLE log(id INTEGER PRIMARY KEY, what);
        CREATE TRIGGER doc_ai AFTER INSERT ON doc BEGIN
          INSERT INTO doc_fts(rowid, body) VALUES(new.id, new.body);
          INSERT OR REPLACE INTO place VALUES(new.id, 1, 2);
          INSERT INTO log(what) VALUES(new.body);
        END;
        CREATE TRIGGER doc_ad AFTER DELETE ON doc BEGIN
          INSERT INTO doc_fts(doc_fts, rowid, body) VALUES('delete', old.id, old.body);
          DELETE FROM place WHERE id=old.id;
        END;
        CREATE TRIGGER doc_au AFTER UPDATE ON doc BEGIN
          INSERT INTO doc_fts(doc_fts, rowid, body) VALUES('delete', old.id, old.body);
          INSERT INTO doc_fts(rowid, body) VALUES(new.id, new.body);
        END;
        CREATE TRIGGER doc_time AFTER UPDATE OF body ON doc BEGIN
          UPDATE doc SET modified=coalesce(modified,0)+1 WHERE id=new.id;
        END;
        CREATE TRIGGER log_short AFTER INSERT ON log BEGIN DELETE FROM log WHERE id < new.id - 3; END;
        CREATE VIEW bodies AS SELECT id, body FROM doc;
        CREATE TRIGGER bodies_insert INSTEAD OF INSERT ON bodies BEGIN
          INSERT INTO doc(id, body) VALUES(new.id, new.body);
        END;
        """)
  ]

  static let wide = TortureTable(
    name: "wide", key: [("id", .number)], fields: (0..<200).map { ("c\($0)", .any) },
    sql: "CREATE TABLE wide(id INTEGER PRIMARY KEY, \((0..<200).map { "c\($0)" }.joined(separator: ",")));")

  /// Some of the tables, so that one store opens quickly.
  static func some(_ random: inout Splitmix) -> [TortureTable] {
    var chosen = tables.shuffled(using: &random).prefix(3)
    if random.chance(40) { chosen += family }
    if random.chance(30) { chosen += documents }
    if random.chance(10) { chosen.append(wide) }
    return Array(chosen)
  }
}

extension TortureTable.Pool {
  func value(_ random: inout Splitmix, isKey: Bool) -> Value {
    let pool = isKey ? keys : values
    return pool[random.below(pool.count)]
  }

  private var keys: [Value] {
    switch self {
    case .number: (1...6).map { .integer($0) } + [.integer(.min), .integer(1 << 53 + 1), .integer(-1)]
    case .text: ["a", "A", "b", "B", "a ", "", "é", "c\0d", "1"].map { .text($0) } + [.text([0xFF, 0x41])]
    case .blob: [.blob([]), .blob([0]), .blob([0x61]), .blob([0x61, 0]), .blob([0xFF, 1])]
    case .any:
      [
        .integer(1), .real(1), .real(1.5), .text("1"), .blob([0x31]), .text("a"), .text("A"), .real(-0.0),
        .integer(0),
        .real(.infinity), .integer(.min), .real(-0x1p63), .integer(1 << 53 + 1), .text(""), .blob([]),
      ]
    }
  }

  private var values: [Value] {
    switch self {
    case .number: [.null, .integer(0), .integer(1), .integer(2), .integer(.max), .integer(.min)]
    case .text: keys + [.null, .null, .text(String(repeating: "long ", count: 300))]
    case .blob: keys + [.null, .blob([UInt8](repeating: 7, count: 5_000))]
    case .any:
      keys + [
        .null, .null, .real(0.0), .real(-.infinity), .real(0x1p53), .integer(1 << 53), .text([0xC3, 0x28]),
      ]
    }
  }
}
