package import SQLite

/// The SQL function that guard triggers call. Only the engine's connections have it, so that a write past the engine
/// fails with `no such function: tributary_guard` instead of being missed.
package enum GuardFunction {
  package static let name = "tributary_guard"

  /// Lets the connection write to guarded tables.
  package static func install(on connection: Connection) throws {
    // Innocuous: triggers must be able to call it even where the schema is not trusted.
    try connection.createFunction(name, argumentCount: 0, flags: [.innocuous, .deterministic]) { _, _, _ in
      // No result is NULL.
    }
  }
}
