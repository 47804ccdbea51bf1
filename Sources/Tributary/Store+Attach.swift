import FoundationEssentials
import TributaryCodec
import TributaryCustody
import TributaryModel
public import TributaryRemotes
import TributaryStore

@_exported public import struct TributaryRemotes.RemoteLocation

extension Store {
  /// Attaches this device to the place where the fleet keeps its files. The password is asked for once per device.
  ///
  /// - Parameters:
  ///   - location: for example `.folder("/home/me/Dropbox/tasks")`; the folder must exist.
  ///   - password: at least 8 characters; the same on every device.
  ///   - deviceName: what people call the device.
  ///   - create: starts a new set where there is none. Without it the password must open what is there.
  ///   - stateDirectory: where this device's secrets are kept; nil for `$TRIBUTARY_STATE_HOME`, else
  ///     `$XDG_STATE_HOME/tributary`, else `~/.local/state/tributary`.
  /// - Throws: ``SyncError``: `.nothingThere`, `.alreadyThere`, `.wrongPassword`, `.otherSchema`. The folder's errors,
  ///   and one for a password that is not allowed; their description says what to do.
  public func attach(
    _ location: RemoteLocation, password: String, deviceName: String, create: Bool,
    stateDirectory: String? = nil
  ) throws -> Link {
    let core = try opened()
    let vault = try Self.vault(core, stateDirectory)
    engine = try SyncEngine.attach(
      core, to: location.open(), password: try Password.normalize(password), deviceName: deviceName,
      create: create,
      vault: vault, .live)
    return Link(self)
  }

  /// The link of a store that this device attached before; nil if it did not, or if its secrets are gone.
  ///
  /// - Parameters:
  ///   - location: the place that it was attached to.
  ///   - deviceName: what people call the device; it may have changed.
  ///   - stateDirectory: as it was given to ``attach(_:password:deviceName:create:stateDirectory:)``.
  /// - Throws: an error when the secrets are there and cannot be read. Does not look at `location` yet.
  public func link(_ location: RemoteLocation, deviceName: String, stateDirectory: String? = nil) throws
    -> Link?
  {
    let core = try opened()
    let vault = try Self.vault(core, stateDirectory)
    engine = try SyncEngine.resume(core, location.open(), deviceName: deviceName, vault: vault, .live)
    return engine == nil ? nil : Link(self)
  }

  func sync() throws -> SyncReport {
    guard let engine else {
      throw SyncError(.notAttached, "The store is not attached to a remote. Attach it first.")
    }
    // A sync that fails may have merged something before.
    defer { refreshObservers() }
    return try engine.sync()
  }

  private static func vault(_ core: StoreCore, _ directory: String?) throws -> Vault {
    let environment = ProcessInfo.processInfo.environment
    let state = try directory.map(StateDirectory.init(path:)) ?? StateDirectory(environment: environment)
    return Vault(
      FileSecretStore(directory: state, machine: Machine.current()), name: try core.storeName(SystemRandom()))
  }
}

extension StoreCore {
  /// The name under which a device keeps its secrets for this store.
  fileprivate func storeName(_ random: any RandomSource) throws -> String {
    if let name = try note("store")?.string { return name }
    let name = random.bytes(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    try engineWrite { try setNote("store", .text(name)) }
    return name
  }
}

extension SyncEnvironment {
  /// The system's own time, chance and key derivation.
  package static var live: SyncEnvironment {
    SyncEnvironment(wall: WallClock.milliseconds, random: SystemRandom(), passwordHash: Argon2id())
  }
}

/// A store's connection to its fleet.
public struct Link: Sendable {
  private let store: Store

  init(_ store: Store) { self.store = store }

  /// Reads what other devices wrote and uploads what is new here.
  ///
  /// - Throws: ``SyncError``, or the remote's error. Nothing unsent is lost by it: the next sync goes on.
  public func sync() async throws -> SyncReport { try await store.sync() }
}
