import CSQLite
import TributaryModel

extension Connection {
  /// Rows changed by the latest statement that wrote.
  package var changes: Int { isOpen ? Int(sqlite3_changes(handle)) : 0 }

  /// Rows changed since the connection was opened.
  package var totalChanges: Int { isOpen ? Int(sqlite3_total_changes(handle)) : 0 }

  /// The rowid of the latest insert; 0 if there was none.
  package var lastInsertedRowID: Int64 { isOpen ? sqlite3_last_insert_rowid(handle) : 0 }

  /// A number that every change of the schema changes.
  package var schemaVersion: Int64 {
    get throws { try integer("PRAGMA schema_version") ?? 0 }
  }

  /// How the file keeps text.
  package var textEncoding: TextEncoding? {
    get throws { try value("PRAGMA encoding")?.string.flatMap(TextEncoding.init) }
  }

  /// Reads the whole file for damage of its structure, without comparing indexes with their tables.
  ///
  /// - Throws: ``DatabaseError`` with `.corrupt` and the first finding.
  package func quickCheck() throws {
    let finding = try value("PRAGMA quick_check(1)")?.string ?? "no answer"
    guard finding == "ok" else { throw DatabaseError(.corrupt, "The database is damaged: \(finding)") }
  }
}

/// How a database keeps text. It is always bound and read as UTF-8.
///
/// In a UTF-16 database text that is not UTF-8, and the two characters U+FFFE and U+FFFF, become U+FFFD when bound. Half
/// a surrogate pair that a program stored is read as another character. A UTF-8 database keeps all bytes.
package enum TextEncoding: String, Sendable {
  case utf8 = "UTF-8"
  case utf16le = "UTF-16le"
  case utf16be = "UTF-16be"
}
