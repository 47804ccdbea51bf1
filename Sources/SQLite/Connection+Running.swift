package import TributaryModel

extension Connection {
  /// Runs any number of statements, stopping at the first that fails. Rows are skipped.
  package func execute(_ sql: String) throws {
    try withStatements(sql) { script in
      while let statement = try script.next() { try statement.run() }
    }
  }

  /// Runs one statement with values, keeping it for the next time. Rows are skipped.
  package func execute(_ sql: String, _ values: [Value]) throws {
    try run(sql, values) { statement in while try statement.step() {} }
  }

  /// All rows of one statement.
  package func rows(_ sql: String, _ values: [Value] = []) throws -> [[Value]] {
    try run(sql, values) { statement in
      var rows: [[Value]] = []
      while try statement.step() { rows.append(statement.row()) }
      return rows
    }
  }

  /// The first column of the first row, or nil when there is no row. Further rows are not computed, so use it
  /// for reading, not for statements that write.
  package func value(_ sql: String, _ values: [Value] = []) throws -> Value? {
    try run(sql, values) { statement in try statement.step() ? statement.column(0) : nil }
  }

  /// The first column of the first row as an integer, or nil when there is no row or no integer in it.
  package func integer(_ sql: String, _ values: [Value] = []) throws -> Int64? {
    try value(sql, values)?.integer
  }

  private func run<T>(_ sql: String, _ values: [Value], _ body: (Statement) throws -> T) throws -> T {
    let statement = try cached(sql)
    defer { statement.clearBindings() }
    let result: T
    do {
      try statement.bindAll(values)
      result = try body(statement)
    } catch {
      statement.reset()
      throw error
    }
    try statement.finish()
    return result
  }
}
