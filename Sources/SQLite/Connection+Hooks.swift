import CSQLite

/// Called before each row changes: context, database, operation, schema, table, old rowid, new rowid.
package typealias PreupdateFunction =
  @convention(c) (
    UnsafeMutableRawPointer?, OpaquePointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, Int64,
    Int64
  ) -> Void

/// Called while a statement is compiled: context, action, its two names, schema, trigger or view.
package typealias AuthorizerFunction =
  @convention(c) (
    UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
    UnsafePointer<CChar>?
  ) -> Int32

/// Called with the context; other than 0 interrupts the work.
package typealias VerdictFunction = @convention(c) (UnsafeMutableRawPointer?) -> Int32

/// Called with the context.
package typealias NoticeFunction = @convention(c) (UnsafeMutableRawPointer?) -> Void

/// Hooks are C functions with a context, so that they cost no allocation for each row. The caller keeps the context
/// alive until it sets the hook to nil or the connection and all its statements are gone.
extension Connection {
  /// Sets the function that sees every row before it changes, in tables with and without rowid. One at a time:
  /// it replaces that of SQLite's session extension.
  package func setPreupdateHook(_ function: PreupdateFunction?, _ context: UnsafeMutableRawPointer?) throws {
    sqlite3_preupdate_hook(handle, function, context)
    // A DELETE without WHERE that was compiled while there was no hook empties its table without telling anyone.
    // Any change of this flag makes SQLite compile all statements anew.
    try configure(SQLITE_DBCONFIG_TRIGGER_EQP, true)
    try configure(SQLITE_DBCONFIG_TRIGGER_EQP, false)
  }

  /// Sets the function that allows or denies what a statement does, asked while it is compiled.
  package func setAuthorizer(_ function: AuthorizerFunction?, _ context: UnsafeMutableRawPointer?) throws {
    try check(sqlite3_set_authorizer(handle, function, context))
  }

  /// Sets the function called about every `operations` steps of SQLite's machine, which may interrupt the work.
  package func setProgressHandler(
    every operations: Int32, _ function: VerdictFunction?, _ context: UnsafeMutableRawPointer?
  ) {
    sqlite3_progress_handler(handle, operations, function, context)
  }

  /// Lets triggers fire, or not, from now on.
  package func setTriggers(isOn: Bool) throws { try configure(SQLITE_DBCONFIG_ENABLE_TRIGGER, isOn) }

  /// Sets a switch of the connection.
  func configure(_ option: Int32, _ isOn: Bool) throws {
    try check(tributary_sqlite3_db_config(handle, option, isOn ? 1 : 0))
  }
}
