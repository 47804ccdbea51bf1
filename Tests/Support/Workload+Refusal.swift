import SQLite
import TributaryStore

extension Workload {
  /// Whether an error says that a transaction breaks a rule of its tables, which random statements often do. Every
  /// other error is a failure of the engine.
  package static func isRefusal(_ error: any Error) -> Bool {
    if let error = error as? DatabaseError { return error.code.primary == .constraint }
    return (error as? StoreError)?.code == .refusedValue
  }
}
