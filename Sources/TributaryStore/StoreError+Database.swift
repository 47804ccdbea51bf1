import SQLite

extension StoreError {
  /// An error as an app may see it: those of SQLite's wrapper get a code of the store's, all others stay.
  package static func explaining(_ error: any Error) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    let code: Code =
      switch error.code {
      case .constraint: .constraint
      case .busy, .locked: .locked
      default: .database
      }
    return StoreError(code, error.description, sqliteCode: error.code.rawValue)
  }

  /// Runs `body`, and throws what it throws as an app may see it.
  package static func explained<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch { throw explaining(error) }
  }
}
