import TributaryStore

extension Workload {
  /// Whether an error says that a transaction breaks a rule of its tables, which random statements often do. Every
  /// other error is a failure of the engine.
  package static func isRefusal(_ error: any Error) -> Bool {
    guard let error = error as? StoreError else { return false }
    return error.code == .refusedValue || error.code == .constraint
  }
}
