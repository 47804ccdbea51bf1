/// What went wrong in a store: a code to act on, and a message that says what happened, where, and what to do.
public struct StoreError: Error, Sendable, CustomStringConvertible {
  /// Which kind of error. More may be added; match the ones you know.
  public struct Code: Hashable, Sendable {
    let name: String
    package init(_ name: String) { self.name = name }

    /// The declared schema, or a table of it, cannot be synced.
    public static let schema = Code("schema")
    /// A value that its column's rule refuses.
    public static let refusedValue = Code("refusedValue")
    /// A statement that is not allowed inside `write` or `read`.
    public static let forbiddenStatement = Code("forbiddenStatement")
    /// The store was made by something that this build cannot read.
    public static let tooNew = Code("tooNew")
    /// The engine's own tables contradict each other.
    public static let damaged = Code("damaged")
    /// A declared table holds rows that were written without the engine.
    public static let unknownRows = Code("unknownRows")
    /// A row breaks a constraint of the database; `sqliteCode` says which kind.
    public static let constraint = Code("constraint")
    /// Another connection is writing, and did not end in time.
    public static let locked = Code("locked")
    /// Any other refusal of SQLite's; `sqliteCode` says which.
    public static let database = Code("database")
    /// A row could not be decoded into the asked-for type.
    public static let decoding = Code("decoding")
    /// The store was closed.
    public static let closed = Code("closed")
    /// An adopted database whose triggers were taken away, so that its app can change its tables.
    package static let paused = Code("paused")
  }

  /// What kind of error this is, to act on.
  public let code: Code
  /// What happened, where, and what to do, for a person to read.
  public let message: String
  /// The failure below this one.
  public let cause: (any Error)?
  /// SQLite's extended result code, such as 2067 for a UNIQUE constraint; nil when the error is not SQLite's.
  public let sqliteCode: Int32?

  package init(_ code: Code, _ message: String, cause: (any Error)? = nil, sqliteCode: Int32? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
    self.sqliteCode = sqliteCode
  }

  /// The message, with the cause.
  public var description: String {
    cause.map { "\(message) (\($0))" } ?? message
  }
}
