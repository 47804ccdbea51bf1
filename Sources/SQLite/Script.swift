import CSQLite

/// SQL text with any number of statements, compiled one by one, since a later one may need what an earlier one made.
struct Script {
  let database: OpaquePointer
  /// What is left. Valid only within the scope that lent the text.
  var text: UnsafeBufferPointer<UInt8>

  /// The next statement, or nil when only blanks and comments are left.
  mutating func next() throws -> Statement? {
    while !text.isEmpty {
      var statement: OpaquePointer?
      let used = try prepare(&statement)
      let piece = text[..<used]
      text = UnsafeBufferPointer(rebasing: text[used...])
      if let statement { return Statement(statement) }
      // No progress would be an endless loop.
      if piece.isEmpty { return nil }
    }
    return nil
  }

  private func prepare(_ statement: inout OpaquePointer?) throws -> Int {
    guard let base = text.baseAddress else { return 0 }
    return try base.withMemoryRebound(to: CChar.self, capacity: text.count) { start in
      var tail: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v3(
        database, start, Int32(text.count), UInt32(SQLITE_PREPARE_PERSISTENT), &statement, &tail)
      guard code == SQLITE_OK else {
        throw DatabaseError.last(code, of: database, sql: String(decoding: text, as: UTF8.self))
      }
      return tail.map { start.distance(to: $0) } ?? text.count
    }
  }
}
