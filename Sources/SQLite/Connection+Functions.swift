import CSQLite

/// Computes a SQL function: the call's context, the number of arguments, the arguments.
package typealias ScalarFunction =
  @convention(c) (
    OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
  ) -> Void

/// What SQLite may assume of a function.
package struct FunctionFlags: OptionSet, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// The same arguments always give the same result.
  package static let deterministic = FunctionFlags(rawValue: SQLITE_DETERMINISTIC)
  /// Only statements may call it: no trigger or view. CHECK and generated columns are not held back by this.
  package static let directOnly = FunctionFlags(rawValue: SQLITE_DIRECTONLY)
  /// Harmless even when a hostile schema calls it.
  package static let innocuous = FunctionFlags(rawValue: SQLITE_INNOCUOUS)
}

extension Connection {
  /// Adds a function to the connection's SQL. `argumentCount` of -1 takes any number.
  ///
  /// SQLite calls `destructor` with the context when the function goes, and also when adding it fails.
  package func createFunction(
    _ name: String, argumentCount: Int32, flags: FunctionFlags = [.directOnly], _ function: ScalarFunction?,
    _ context: UnsafeMutableRawPointer? = nil, _ destructor: NoticeFunction? = nil
  ) throws {
    try check(
      sqlite3_create_function_v2(
        handle, name, argumentCount, SQLITE_UTF8 | flags.rawValue, context, function, nil, nil, destructor))
  }
}
