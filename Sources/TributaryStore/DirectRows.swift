import SQLite
import TributaryModel

/// The statements of a ``DirectWriter``, each compiled once for many rows.
struct DirectRows {
  private let access: RowAccess
  private let connection: Connection
  private let insertion: Statement
  private var edit: (positions: [Int], statement: Statement)?

  init(_ access: RowAccess, _ connection: Connection) throws {
    self.access = access
    self.connection = connection
    insertion = try access.insertion(connection)
  }

  /// Inserts a record's row, with defaults for what the entry lacks. False if it cannot be in the table as it is.
  func insert(_ entry: Entry, _ layout: EntryLayout) throws -> Bool {
    let count = try access.bindKey(entry.name.id, insertion)
    for (position, field) in access.shape.fields.enumerated() {
      let given = layout.sources[position].map { entry.change.fields[$0].value }
      let value = given ?? field.defaultValue ?? .null
      if field.isNotNull, value.isNull { return false }
      try insertion.bind(count + position + 1, value)
    }
    return try run(insertion)
  }

  /// Sets the winning fields. False if the row is not there, or cannot be in the table with them.
  mutating func update(_ entry: Entry, _ layout: EntryLayout, _ winners: [Int]) throws -> Bool {
    let positions = winners.map { layout.places[$0].position }
    for (index, position) in zip(winners, positions) {
      if access.shape.fields[position].isNotNull, entry.change.fields[index].value.isNull { return false }
    }
    if edit?.positions != positions { edit = (positions, try access.edit(of: positions, connection)) }
    guard let statement = edit?.statement else { return false }
    let count = try access.bindKey(entry.name.id, statement)
    for (place, index) in winners.enumerated() {
      try statement.bind(count + place + 1, entry.change.fields[index].value)
    }
    return try run(statement)
  }

  /// False if the database refused the row, or a trigger of the app kept it out.
  private func run(_ statement: Statement) throws -> Bool {
    do {
      try statement.run()
      return connection.changes == 1
    } catch let error as DatabaseError where connection.isRefusal(error) {
      return false
    }
  }
}

extension Connection {
  /// A refusal undoes one statement. A trigger or a constraint that rolls back has ended the whole transaction, and what
  /// came after it would be kept without the rest.
  func isRefusal(_ error: DatabaseError) -> Bool { error.code.primary == .constraint && inTransaction }
}
