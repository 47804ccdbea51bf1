import CSQLite
package import SQLite

/// A column that a statement may set in an update.
struct CaptureNote: Hashable {
  var table: String
  var column: String
}

/// To compare only what can have changed saves a third of the cost of an update: SQLite copies every new value that
/// the hook looks at. Its authorizer tells which columns a statement sets, triggers and foreign keys included.
extension Capture {
  /// An authorizer that allows everything and notes the columns of updates. One that decides more calls this one,
  /// with ``authorizerContext``, for every action that it is asked about.
  package static let authorizer: AuthorizerFunction = { raw, action, table, column, schema, _ in
    guard action == SQLITE_UPDATE, let raw, let table, let column else { return SQLITE_OK }
    let context = raw.assumingMemoryBound(to: CaptureContext.self)
    context.pointee.note(CaptureNote(table: String(cString: table), column: String(cString: column)))
    return SQLITE_OK
  }

  /// From now on compares only columns that ``authorizer`` was told of.
  ///
  /// - Parameter function: what is set as the connection's authorizer: ``authorizer`` or a function that calls it.
  ///   No other may be set later, as changes of columns that it does not pass on would be lost.
  package func compareOnlyColumnsThatAreSet(
    by function: AuthorizerFunction = Capture.authorizer, _ functionContext: UnsafeMutableRawPointer? = nil
  ) throws {
    if context.pointee.noted == nil { context.pointee.noted = [] }
    context.pointee.applyNotes()
    // This makes SQLite compile all statements anew, so that none is left of which nothing was told.
    do {
      try connection.setAuthorizer(function, functionContext ?? authorizerContext)
    } catch {
      context.pointee.noted = nil
      context.pointee.applyNotes()
      throw error
    }
  }

  /// The context for ``authorizer``, valid as long as the capture.
  package var authorizerContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(context) }
}

extension CaptureContext {
  /// Notes a column, which stays noted when the tables are read again.
  fileprivate mutating func note(_ note: CaptureNote) {
    guard noted != nil, noted?.insert(note).inserted == true else { return }
    applyNotes()
  }

  /// Tells the tables.
  func applyNotes() {
    for place in 0..<tableCount { tables[place].compare(only: noted) }
  }
}
