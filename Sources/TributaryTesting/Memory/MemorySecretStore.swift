import Synchronization
import TributaryCustody

/// Secrets in memory, which can be copied to stand for a restored or a cloned device.
package final class MemorySecretStore: SecretStore {
  private let secrets: Mutex<[String: [UInt8]]>

  /// An empty store, or one with these secrets.
  package init(_ secrets: [String: [UInt8]] = [:]) { self.secrets = Mutex(secrets) }

  /// All secrets.
  package var contents: [String: [UInt8]] { secrets.withLock { $0 } }

  package func read(_ name: String) throws -> [UInt8]? {
    try SecretName.check(name)
    return secrets.withLock { $0[name] }
  }

  package func write(_ name: String, _ bytes: [UInt8]) throws {
    try SecretName.check(name)
    secrets.withLock { $0[name] = bytes }
  }

  package func remove(_ name: String) throws {
    try SecretName.check(name)
    secrets.withLock { _ = $0.removeValue(forKey: name) }
  }
}
