/// How an adopted database declares a column, so far as a device that joins must declare it alike.
package struct FoundColumn: Hashable, Sendable {
  /// Defaults that the moment of the insert decides.
  package enum Now: String, Hashable, Sendable, CaseIterable {
    case timestamp = "CURRENT_TIMESTAMP"
    case date = "CURRENT_DATE"
    case time = "CURRENT_TIME"
  }

  /// The declared type, empty for none: it decides how values are stored.
  package var type: String
  /// The collation; nil for BINARY.
  package var collation: String?
  /// The default, if it is one of the words for now.
  package var now: Now?

  package init(type: String = "", collation: String? = nil, now: Now? = nil) {
    self.type = type
    self.collation = collation
    self.now = now
  }

  /// What SQLite compares by without help from an app.
  package static let collations = ["NOCASE", "RTRIM"]

  /// Whether the type can stand in a declaration as it is: words, and at most two numbers in parentheses.
  package var isPlainType: Bool {
    guard type.utf8.count <= SchemaLimits.name else { return false }
    let parts = type.split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
    let words = parts[0].utf8.allSatisfy {
      $0 == 0x20 || $0 == 0x5F || Self.isLetterOrDigit($0) || $0 >= 0x80
    }
    guard words, parts.count == 2 else { return words }
    guard !parts[0].isEmpty, parts[1].last == ")" else { return false }
    return parts[1].dropLast().utf8.allSatisfy {
      (0x30...0x39).contains($0) || [0x20, 0x2C, 0x2B, 0x2D].contains($0)
    }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
  }
}

/// A unique index of an adopted database that compares otherwise than its columns do.
package struct FoundUnique: Hashable, Sendable {
  package var columns: [String]
  /// One for each column: `BINARY`, or one of ``FoundColumn/collations``.
  package var collations: [String]

  package init(_ columns: [String], collations: [String]) {
    self.columns = columns
    self.collations = collations
  }

  /// The collations that can stand in a declaration.
  package static let known = ["BINARY"] + FoundColumn.collations
}

/// How an adopted database declares a table.
package struct FoundTable: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let strict = FoundTable(rawValue: 1)
  package static let withoutRowID = FoundTable(rawValue: 2)
  package static let autoincrement = FoundTable(rawValue: 4)

  /// The traits by the names that a description as JSON has for them.
  package static let names: [(name: String, trait: FoundTable)] = [
    ("strict", .strict), ("withoutRowID", .withoutRowID), ("autoincrement", .autoincrement),
  ]
}
