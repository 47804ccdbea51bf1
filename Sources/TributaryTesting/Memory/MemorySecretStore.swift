import Synchronization
package import TributaryCustody

/// Secrets in memory, which can be copied to stand for a restored or a cloned device.
package final class MemorySecretStore: SecretStore {
  private let state: Mutex<(secrets: [String: [UInt8]], failure: CustodyError?)>

  /// An empty store, or one with these secrets.
  package init(_ secrets: [String: [UInt8]] = [:]) { state = Mutex((secrets, nil)) }

  /// All secrets.
  package var contents: [String: [UInt8]] { state.withLock { $0.secrets } }

  /// Makes the next write fail and change nothing.
  package func failNextWrite(_ error: CustodyError) { state.withLock { $0.failure = error } }

  package func read(_ name: String) throws -> [UInt8]? {
    try SecretName.check(name)
    return state.withLock { $0.secrets[name] }
  }

  package func write(_ name: String, _ bytes: [UInt8]) throws {
    try SecretName.check(name)
    try state.withLock { state in
      if let failure = state.failure {
        state.failure = nil
        throw failure
      }
      state.secrets[name] = bytes
    }
  }

  package func remove(_ name: String) throws {
    try SecretName.check(name)
    state.withLock { _ = $0.secrets.removeValue(forKey: name) }
  }
}
