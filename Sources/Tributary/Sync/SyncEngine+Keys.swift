import TributaryCodec
import TributaryCustody
import TributaryModel
import TributaryRemotes
import TributaryWire

extension SyncEngine {
  var installNonce: UInt64 { secrets.installNonce.reduce(0) { $0 << 8 | UInt64($1) } }

  func ownKey() throws -> Secret {
    guard let bytes = secrets.dataKeys[Self.firstEpoch] else {
      throw SyncError(.notAttached, "This device's data key is missing. Attach it again.")
    }
    return try Secret(bytes)
  }

  func sealing() throws -> Sealing {
    Sealing(
      dataKey: try ownKey(), installNonce: installNonce, epoch: Self.firstEpoch, random: environment.random)
  }

  /// The data key of a peer, from its key file. The file is pinned by its hash once it has opened.
  func key(of peer: DeviceID) throws -> Secret {
    if let key = keys[peer] { return key }
    guard let bytes = try bytes(.key(peer, epoch: Self.firstEpoch), "its key file") else {
      throw PeerProblem(.other, "its key file is not there yet")
    }
    guard let password = secrets.passwordKeys[Self.firstEpoch] else {
      throw SyncError(.notAttached, "This device's password key is missing. Attach it again.")
    }
    let pin = DeviceSecrets.Pin(device: peer, epoch: Self.firstEpoch)
    let (file, key) = try openKey(bytes, try Secret(password.key), peer)
    if let known = secrets.pins[pin], known != file.hash.bytes {
      throw PeerProblem(
        .other, "its key file was replaced, which no device does: somebody changed the remote")
    }
    if secrets.pins[pin] == nil {
      secrets.pins[pin] = file.hash.bytes
      try vault.write(secrets)
    }
    keys[peer] = key
    return key
  }

  private func openKey(_ bytes: [UInt8], _ kek: Secret, _ peer: DeviceID) throws -> (KeyFile, Secret) {
    do {
      let file = try KeyFile(parsing: bytes)
      guard file.header.epoch == Self.firstEpoch else {
        throw PeerProblem(.other, "its key file is one of epoch \(file.header.epoch), under another name")
      }
      return (file, try file.open(kek: kek, directory: peer).dataKey)
    } catch let error as CodecError {
      throw PeerProblem(.other, "its key file does not open: \(error.message)")
    }
  }

  /// A peer's head, or nil when it has none yet or it cannot be read now.
  func head(of peer: DeviceID) throws -> Head? {
    guard case .bytes(let bytes, _) = try remote.read(.head(peer)) else { return nil }
    let key: Secret
    // A remote that fails is another matter than a peer that cannot be read.
    do { key = try self.key(of: peer) } catch is PeerProblem { return nil }
    return KnownHead(opening: bytes, of: peer, key)?.head
  }

  /// Publishes a write-once file and reads it back.
  func publish(_ name: RemoteName, _ bytes: [UInt8]) throws {
    try environment.step("publish \(name.fileName)")
    if case .conflict(let other) = try remote.publish(name, bytes) { try replaceTorn(name, bytes, other) }
    try environment.step("read back \(name.fileName)")
    guard case .bytes(let back, _) = try remote.read(name), back == bytes else {
      throw SyncError(
        .notStored, "\(name.path) was uploaded but cannot be read back. It is kept and sent again.")
    }
  }

  /// An upload that broke off left a beginning of the same bytes. Anything else is another's: `sync` takes a new id.
  private func replaceTorn(_ name: RemoteName, _ bytes: [UInt8], _ other: [UInt8]) throws {
    if other.count < bytes.count, bytes.starts(with: other) {
      try remote.delete(name)
      if case .conflict = try remote.publish(name, bytes) {} else { return }
    }
    throw SyncError(
      .twin,
      "The remote already has another \(name.path). Two devices use one identity; attach this one as a new device."
    )
  }
}
