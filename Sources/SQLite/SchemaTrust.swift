import CSQLite
import TributaryModel

/// What a schema may call on this connection if it is trusted.
///
/// An untrusted schema may call only what is marked as harmless. Before 3.44 SQLite's own search indexes are not
/// marked (FTS3, FTS4, FTS5, R-Tree), before 3.41 nor are its JSON functions. There a trigger that keeps a search
/// index, a CHECK with `json_valid` or an index over `->>` makes every write to its table fail.
extension Connection {
  /// Whether this SQLite does not mark its own parts as harmless.
  var needsTrustForOwnParts: Bool { sqlite3_libversion_number() < 3_044_000 }

  /// Whether all that trust would add is SQLite's own and harmless. An extension that the process has SQLite load
  /// into each connection makes this false.
  package var hasOnlyOwnParts: Bool {
    get throws {
      // As statements, these read no schema: at this point the file has not been touched.
      let functions = try rows("PRAGMA function_list").filter { row in
        // Neither harmless nor for statements only. The flags are in the last column.
        (row.last?.integer ?? 0) & Int64(SQLITE_INNOCUOUS | SQLITE_DIRECTONLY) == 0
      }
      let modules = try rows("PRAGMA module_list")
      return functions.allSatisfy { Self.isOwnFunction(Self.name($0)) }
        && modules.allSatisfy { Self.isOwnModule(Self.name($0)) }
    }
  }

  private static func name(_ row: [Value]) -> String { row.first?.string?.lowercased() ?? "" }

  private static func isOwnModule(_ name: String) -> Bool {
    ownModules.contains(name) || name.hasPrefix("pragma_")
  }

  private static func isOwnFunction(_ name: String) -> Bool {
    ownFunctions.contains(name) || name == "json" || name.hasPrefix("json_") || name.hasPrefix("geopoly_")
  }

  /// They read what they are given, and the index that they are called on.
  private static let ownFunctions: Set<String> = [
    "->", "->>", "bm25", "fts5", "fts5_source_id", "highlight", "match", "matchinfo", "offsets", "optimize",
    "rtreecheck", "rtreedepth", "rtreenode", "snippet",
  ]

  private static let ownModules: Set<String> = [
    "dbstat", "fts3", "fts3tokenize", "fts4", "fts4aux", "fts5", "fts5vocab", "geopoly", "json_each",
    "json_tree",
    "rtree", "rtree_i32", "sqlite_stmt",
  ]
}
