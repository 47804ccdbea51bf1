import CSQLite
import SQLite

/// Which statements an app may run inside `write` and `read`: SQLite asks here while it compiles each one.
///
/// Transactions belong to the engine, its own tables are not the app's to write, and synced tables not to drop. In `read`
/// nothing is written, save temporary tables. The engine's own statements are compiled while `isActive` is off.
struct StatementPolicy {
  var isActive = false
  /// The statement is one of a `read`.
  var isReading = false
  /// A savepoint was rolled back, so captured rows may have been undone.
  var sawSavepoint = false
  /// What the last refused statement tried.
  var refusal: String?
  /// The synced tables' names, in lower case.
  var synced: Set<String> = []
  /// Told of every action too, on the connection that captures.
  var captureContext: UnsafeMutableRawPointer?

  static let authorizer: AuthorizerFunction = { context, action, first, second, database, trigger in
    guard let policy = context?.assumingMemoryBound(to: StatementPolicy.self) else { return SQLITE_OK }
    if let capture = policy.pointee.captureContext {
      _ = Capture.authorizer(capture, action, first, second, database, trigger)
    }
    guard policy.pointee.isActive else { return SQLITE_OK }
    if policy.pointee.isReading, writes.contains(action), !isTemporary(database) {
      return policy.pointee.refuse("writes, and `read` only reads; run it in `write`")
    }
    return policy.pointee.judge(action, first, second, trigger: trigger)
  }

  private static let writes: Set<Int32> = [
    SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE, SQLITE_ALTER_TABLE, SQLITE_REINDEX, SQLITE_ANALYZE,
    SQLITE_CREATE_TABLE, SQLITE_CREATE_INDEX, SQLITE_CREATE_VIEW, SQLITE_CREATE_TRIGGER, SQLITE_CREATE_VTABLE,
    SQLITE_DROP_TABLE, SQLITE_DROP_INDEX, SQLITE_DROP_VIEW, SQLITE_DROP_TRIGGER, SQLITE_DROP_VTABLE,
  ]

  private static func isTemporary(_ database: UnsafePointer<CChar>?) -> Bool {
    database.map { String(cString: $0) } == "temp"
  }

  private mutating func judge(
    _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?,
    trigger: UnsafePointer<CChar>?
  ) -> Int32 {
    switch action {
    case SQLITE_SAVEPOINT: sawSavepoint = true
    case SQLITE_TRANSACTION:
      return refuse("begins or ends a transaction; `write` is one already, use SAVEPOINT inside it")
    case SQLITE_ATTACH, SQLITE_DETACH:
      return refuse("attaches or detaches a database; use a connection of your own for that")
    case SQLITE_ALTER_TABLE: return refuse("alters a table; declare the change in the schema instead")
    case SQLITE_PRAGMA where second != nil && !Self.isQuestion(first):
      return refuse("changes a pragma, which the engine depends on")
    case SQLITE_DROP_TABLE where synced.contains(Self.folded(first)):
      return refuse("drops a synced table, whose records other devices hold too; delete its rows instead")
    case SQLITE_DROP_TRIGGER where Self.folded(first).hasPrefix(LocalTables.prefix):
      return refuse("drops a guard of the engine's, without which other programs could write unseen")
    // A statement is compiled with the triggers of its table, though the gate keeps them still.
    case SQLITE_INSERT
    where EditTable.isName(Self.folded(first)) && AdoptionTriggers.isName(Self.folded(trigger)):
      break
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE, SQLITE_DROP_TABLE:
      if Self.folded(first).hasPrefix(LocalTables.prefix) {
        return refuse("writes to one of the engine's own tables")
      }
    default: break
    }
    return SQLITE_OK
  }

  private mutating func refuse(_ reason: String) -> Int32 {
    refusal = reason
    return SQLITE_DENY
  }

  private static func folded(_ name: UnsafePointer<CChar>?) -> String {
    name.map { String(cString: $0).lowercased() } ?? ""
  }

  /// Whether a pragma with an argument only answers.
  private static func isQuestion(_ name: UnsafePointer<CChar>?) -> Bool { questions.contains(folded(name)) }

  private static let questions: Set<String> = [
    "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list",
    "foreign_key_check", "integrity_check", "quick_check",
  ]
}
