import SQLite
public import TributaryModel

/// The database inside one `write` or `read`: any SQL, with values bound to its parameters.
///
/// It is valid only inside the closure that received it.
public final class Database {
  private let shelf: StatementShelf
  private let policy: UnsafeMutablePointer<StatementPolicy>
  private let isReading: Bool
  /// Called after every statement that ran, and with true after one that failed.
  private let after: (_ failed: Bool) throws -> Void
  private var isOpen = true

  init(
    _ shelf: StatementShelf, _ policy: UnsafeMutablePointer<StatementPolicy>, isReading: Bool = false,
    after: @escaping (Bool) throws -> Void
  ) {
    self.shelf = shelf
    self.policy = policy
    self.isReading = isReading
    self.after = after
  }

  /// Runs one statement.
  /// - Throws: ``StoreError`` with `.refusedValue` if a value breaks its column's rule, `.forbiddenStatement` for a
  ///   statement that does not belong here, `.constraint`, `.locked` or `.database` when SQLite refuses.
  public func execute(_ sql: String, _ values: [Value] = []) throws {
    try run(sql, values) { while try $0.step() {} }
  }

  /// Runs one statement and returns its rows, each with the names of its columns.
  /// - Throws: as ``execute(_:_:)-(_,[Value])`` does.
  public func rows(_ sql: String, _ values: [Value] = []) throws -> [Row] {
    try run(sql, values) { statement in
      let columns = (0..<statement.columnCount).map { statement.columnName($0) ?? "" }
      let tables = (0..<statement.columnCount).map { statement.columnTable($0) }
      var rows: [Row] = []
      while try statement.step() {
        rows.append(Row(columns: columns, values: statement.row(), tables: tables))
      }
      return rows
    }
  }

  /// The first value of the first row, or nil when there is no row.
  /// - Throws: as ``execute(_:_:)-(_,[Value])`` does.
  public func value(_ sql: String, _ values: [Value] = []) throws -> Value? {
    try rows(sql, values).first?.values.first
  }

  func end() { isOpen = false }

  private func run<T>(_ sql: String, _ values: [Value], _ body: (Statement) throws -> T) throws -> T {
    guard isOpen else {
      throw StoreError(.closed, "The database was used after its `write` or `read` had ended.")
    }
    policy.pointee.isActive = true
    policy.pointee.isReading = isReading
    defer { policy.pointee.isActive = false }
    let result: T
    do {
      let (statement, isKept) = try shelf.take(sql)
      defer { statement.reset() }
      try statement.bindAll(values)
      result = try body(statement)
      // A savepoint is judged while it is compiled, so it must be compiled each time.
      if !isKept, !policy.pointee.sawSavepoint { shelf.put(statement, for: sql) }
    } catch {
      try after(true)
      throw refusal(sql) ?? StoreError.explaining(error)
    }
    try after(policy.pointee.sawSavepoint)
    policy.pointee.sawSavepoint = false
    return result
  }

  private func refusal(_ sql: String) -> StoreError? {
    defer { policy.pointee.refusal = nil }
    return policy.pointee.refusal.map { StoreError(.forbiddenStatement, "The statement “\(sql)” \($0).") }
  }
}

/// One row of a result.
public struct Row: Sendable, Hashable {
  /// The names of the columns, in order.
  public let columns: [String]
  /// The values, in the order of `columns`.
  public let values: [Value]
  /// The tables that the columns come from, for messages; nil for an expression.
  package let tables: [String?]

  /// The value of the first column with this name.
  public subscript(name: String) -> Value? { columns.firstIndex(of: name).map { values[$0] } }
}

extension Row {
  /// Rows are equal by what they hold, whichever tables it comes from.
  public static func == (left: Row, right: Row) -> Bool {
    left.columns == right.columns && left.values == right.values
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(columns)
    hasher.combine(values)
  }
}
