import FoundationEssentials
import TributaryCodec
import TributaryCustody
import TributaryStore

/// A store's engine, and where this machine keeps what belongs to it.
struct Attachment {
  let engine: SyncEngine
  let custody: Custody
  /// The place that was asked for, as a person reads it.
  let place: String
  /// Sealed files that the last sync could not upload.
  var unsentFiles = 0

  /// Syncs, unless somebody else is at it.
  /// - Parameter begin: called once nobody else can be.
  func sync(_ core: StoreCore, begin: () -> Void) throws -> SyncReport {
    try custody.locked(core) {
      begin()
      // Another process may have synced since, and have sealed logs.
      if let secrets = try engine.vault.read() { engine.secrets = secrets }
      return try engine.sync()
    }
  }
}

/// Where this machine keeps a store's secrets and its lock.
struct Custody {
  let vault: Vault
  private let state: StateDirectory

  /// - Parameter directory: nil for the user's own.
  init(_ core: StoreCore, directory: String?) throws {
    let environment = ProcessInfo.processInfo.environment
    state = try directory.map(StateDirectory.init(path:)) ?? StateDirectory(environment: environment)
    let secrets = FileSecretStore(directory: state, machine: Machine.current())
    vault = Vault(secrets, name: try core.storeName(SystemRandom()))
  }

  /// Runs `body` while nobody else on this machine attaches or syncs the store.
  /// - Throws: ``SyncError`` with `.busy`, at once, when somebody does.
  func locked<T>(_ core: StoreCore, _ body: () throws -> T) throws -> T {
    try SyncError.explained {
      // The name goes with the device's identity, which another process may have changed.
      let name = try core.note(.store)?.string ?? vault.name
      let lock = try SyncLock.take(name, in: state)
      defer { lock.release() }
      guard try core.note(.store)?.string ?? vault.name == name else {
        throw SyncError(.busy, "This store got another identity just now. Sync again.")
      }
      return try body()
    }
  }
}

extension StoreCore {
  /// The name under which a device keeps its secrets for this store.
  fileprivate func storeName(_ random: any RandomSource) throws -> String {
    if let name = try note(.store)?.string { return name }
    return try engineWrite {
      // Two processes may come here at once; the first one's name counts.
      if let name = try note(.store)?.string { return name }
      let name = random.bytes(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      try setNote(.store, .text(name))
      return name
    }
  }
}
