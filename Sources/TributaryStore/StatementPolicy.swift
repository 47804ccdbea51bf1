import CSQLite
import SQLite

/// Which statements an app may run inside `write`: SQLite asks here while it compiles each one.
///
/// Transactions belong to the engine, and its own tables are not the app's to write. The engine's own statements
/// are compiled while `isActive` is off.
struct StatementPolicy {
  var isActive = false
  /// A savepoint was rolled back, so captured rows may have been undone.
  var sawSavepoint = false
  /// What the last refused statement tried.
  var refusal: String?
  /// Told of every action too, on the connection that captures.
  var captureContext: UnsafeMutableRawPointer?

  static let authorizer: AuthorizerFunction = { context, action, first, second, third, fourth in
    guard let policy = context?.assumingMemoryBound(to: StatementPolicy.self) else { return SQLITE_OK }
    if let capture = policy.pointee.captureContext {
      _ = Capture.authorizer(capture, action, first, second, third, fourth)
    }
    return policy.pointee.isActive ? policy.pointee.judge(action, first, second) : SQLITE_OK
  }

  private mutating func judge(
    _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?
  ) -> Int32 {
    switch action {
    case SQLITE_SAVEPOINT: sawSavepoint = true
    case SQLITE_TRANSACTION:
      return refuse("begins or ends a transaction; `write` is one already, use SAVEPOINT inside it")
    case SQLITE_ATTACH, SQLITE_DETACH:
      return refuse("attaches or detaches a database; use a connection of your own for that")
    case SQLITE_ALTER_TABLE: return refuse("alters a table; declare the change in the schema instead")
    case SQLITE_PRAGMA where second != nil: return refuse("changes a pragma, which the engine depends on")
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE, SQLITE_DROP_TABLE:
      if let first, Self.isOurs(first) { return refuse("writes to one of the engine's own tables") }
    default: break
    }
    return SQLITE_OK
  }

  private mutating func refuse(_ reason: String) -> Int32 {
    refusal = reason
    return SQLITE_DENY
  }

  private static func isOurs(_ name: UnsafePointer<CChar>) -> Bool {
    String(cString: name).lowercased().hasPrefix(LocalTables.prefix)
  }
}
