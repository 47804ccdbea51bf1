import TributaryCodec
import TributaryCustody
public import TributaryRemotes
package import TributaryStore

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
  /// - Throws: ``SyncError``: `.nothingThere`, `.alreadyThere`, `.wrongPassword`, `.unfitPassword`, `.otherSchema`,
  ///   `.busy`, `.unreachable`, `.remoteRefused`, `.secrets`; ``StoreError`` when the database fails.
  public func attach(
    _ location: RemoteLocation, password: String, deviceName: String, create: Bool,
    stateDirectory: String? = nil
  ) throws -> Link {
    let core = try opened()
    let custody = try SyncError.explained { try Custody(core, directory: stateDirectory) }
    let engine = try custody.locked(core) {
      try SyncEngine.attach(
        core, to: location.open(), password: try Password.normalize(password), deviceName: deviceName,
        create: create, vault: custody.vault, environment())
    }
    return link(Attachment(engine: engine, custody: custody, place: location.description))
  }

  /// The link of a store that this device attached to that place before; nil if it did not, or if its secrets are gone.
  ///
  /// - Parameters:
  ///   - location: the place that it was attached to, or where that was moved to. One that cannot be reached now is
  ///     taken for it; the sync will tell.
  ///   - deviceName: what people call the device; it may have changed.
  ///   - stateDirectory: as it was given to ``attach(_:password:deviceName:create:stateDirectory:)``.
  /// - Throws: ``SyncError`` with `.secrets` when this device's secrets cannot be read; ``StoreError``.
  public func link(_ location: RemoteLocation, deviceName: String, stateDirectory: String? = nil) throws
    -> Link?
  {
    let core = try opened()
    let custody = try SyncError.explained { try Custody(core, directory: stateDirectory) }
    let engine = try SyncError.explained {
      try SyncEngine.resume(
        core, location.open(), deviceName: deviceName, vault: custody.vault, environment())
    }
    return engine.map { link(Attachment(engine: $0, custody: custody, place: location.description)) }
  }

  /// Ends this device's part in the fleet: its keys are forgotten, and its streams of statuses end. The data stays, and so
  /// do edits that were not sent; attaching again needs the password, and makes it a new device.
  func detach() throws {
    let core = try opened()
    guard let attachment else { return }
    try attachment.custody.locked(core) {
      try core.detach(attachment.engine.vault)
    }
    self.attachment = nil
    board.update { $0 = SyncStatus() }
    board.end()
  }

  private func link(_ attachment: Attachment) -> Link {
    self.attachment = attachment
    board.begin()
    showState { $0 = SyncStatus() }
    return Link(self, to: attachment.place)
  }

  private func environment() -> SyncEnvironment {
    var environment = SyncEnvironment.live
    environment.progress = { [board] in board.show($0) }
    return environment
  }
}

extension StoreCore {
  /// Makes this device forget its keys, while nobody else syncs the store. The data stays, and so do edits that were not
  /// sent.
  ///
  /// - Parameter notes: what whoever attached the store left in it beside the engine's own.
  package func detach(_ vault: Vault, removing notes: [NoteKey] = []) throws {
    // Within the transaction: behind it nothing tells any more which keys were this database's. Without its keys a
    // database that is still attached can be detached once more.
    try engineWrite {
      for note in notes + [.nonce] { try removeNote(note) }
      try vault.secrets.remove(vault.name)
    }
  }
}

extension SyncEnvironment {
  /// The system's own time, chance and key derivation.
  package static var live: SyncEnvironment {
    SyncEnvironment(wall: WallClock.milliseconds, random: SystemRandom(), passwordHash: Argon2id())
  }
}
