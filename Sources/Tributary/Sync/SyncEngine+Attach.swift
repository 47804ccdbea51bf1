package import TributaryCodec
import TributaryCustody
import TributaryModel
package import TributaryRemotes
package import TributaryStore
import TributaryWire

extension SyncEngine {
  /// Attaches a store: makes this device's identity and key file.
  ///
  /// - Parameter create: starts a new set in a remote that has none; without it the password must open what is there.
  /// - Throws: ``SyncError``: `.nothingThere`, `.alreadyThere`, `.wrongPassword`, `.otherSchema`.
  package static func attach(
    _ store: StoreCore, to remote: any Remote, password: Secret, deviceName: String, create: Bool,
    vault: Vault,
    _ environment: SyncEnvironment
  ) throws -> SyncEngine {
    let remote = CountingRemote(remote)
    let found = try keyFiles(remote)
    let key =
      try create
      ? newKey(found, password, environment) : matchingKey(found, password, environment.passwordHash)
    let location = environment.locate(try store.path)
    let secrets = try makeSecrets(key, remote, location, environment)
    var vault = vault
    // Secrets that are there may be those of the database that this one is a copy of.
    if try isTaken(vault) { vault.name = Vault.freshName(environment.random) }
    let engine = SyncEngine(store, remote, vault, secrets, deviceName: deviceName, environment)
    if !create { try engine.checkSchemaName(found.map(\.header.device)) }
    try engine.begin(found.map(\.header.device))
    try engine.publishKey()
    return engine
  }

  /// The engine of a store that was attached before; nil if it was not, or its secrets are gone.
  package static func resume(
    _ store: StoreCore, _ remote: any Remote, deviceName: String, vault: Vault, _ environment: SyncEnvironment
  ) throws -> SyncEngine? {
    var vault = vault
    if let name = try store.note(.store)?.string { vault.name = name }
    guard var secrets = try vault.read() else { return nil }
    if let place = try? remote.identity, place != secrets.remoteIdentity {
      // Another place: the same one if it was moved with this device's files, else one that this device never joined.
      guard let devices = try? remote.list(device: nil).devices, devices.contains(secrets.deviceID) else {
        return nil
      }
      secrets.remoteIdentity = place
      try vault.write(secrets)
    }
    return SyncEngine(
      store, CountingRemote(remote), vault, secrets, deviceName: deviceName, environment)
  }

  /// The key files that can be read; one that was planted or damaged keeps nobody out.
  ///
  /// - Throws: ``SyncError`` `.unreadable` if there are devices and not one key file: such a remote is not empty, and a set
  ///   that is begun beside theirs would never meet it.
  static func keyFiles(_ remote: any Remote) throws -> [KeyFile] {
    var found: [KeyFile] = []
    var unreadable: DeviceID?
    for device in try remote.list(device: nil).devices {
      let name = RemoteName.key(device, epoch: firstEpoch)
      if case .bytes(let bytes, _) = try remote.read(name), let file = try? KeyFile(parsing: bytes),
        file.header.epoch == firstEpoch
      {
        found.append(file)
        // An attach that was stopped before it published its key leaves a directory without files.
      } else if try !remote.list(device: device).entries.isEmpty {
        unreadable = device
      }
    }
    if found.isEmpty, let unreadable {
      throw SyncError(
        .unreadable,
        "The remote holds files of device \(unreadable), and no key file that can be read. If other software brings the "
          + "folder here, let it finish; if the files do not belong there, move them away.")
    }
    return found
  }

  private static func newKey(
    _ found: [KeyFile], _ password: Secret, _ environment: SyncEnvironment
  ) throws -> PasswordKey {
    guard found.isEmpty else {
      throw SyncError(
        .alreadyThere,
        "The remote already holds \(found.count == 1 ? "1 device" : "\(found.count) devices"). Attach this one to them instead of starting a new set, "
          + "or choose another place.")
    }
    let derivation = try KeyDerivation(random: environment.random)
    let kek = try derivation.derive(password: password, using: environment.passwordHash)
    return passwordKey(kek, derivation, epochID: environment.random.bytes(16))
  }

  static func matchingKey(
    _ found: [KeyFile], _ password: Secret, _ passwordHash: any PasswordHash
  ) throws -> PasswordKey {
    guard !found.isEmpty else {
      throw SyncError(
        .nothingThere,
        "The remote holds no devices yet. Check that it is the right place and that its files have arrived; "
          + "if so, ask for a new set.")
    }
    // One derivation for each distinct salt, and no more than four: each costs a good part of a second. A fleet has one
    // salt, so that what was planted beside it comes last.
    let salts = Dictionary(grouping: found, by: \.header.derivation).sorted {
      $0.value.count > $1.value.count
    }
    for derivation in salts.prefix(4).map(\.key) {
      let kek = try derivation.derive(password: password, using: passwordHash)
      guard let file = found.first(where: { $0.header.derivation == derivation && $0.isCommitted(to: kek) })
      else {
        continue
      }
      _ = try file.open(kek: kek, directory: file.header.device)
      return passwordKey(kek, derivation, epochID: file.header.epochID.bytes)
    }
    throw SyncError(
      .wrongPassword,
      "The password does not open the key file of any device there (\(found.count) in all). Try it again.")
  }

  private static func passwordKey(_ kek: Secret, _ derivation: KeyDerivation, epochID: [UInt8]) -> PasswordKey
  {
    PasswordKey(
      key: kek.withBytes { Array($0) }, epochID: epochID, salt: derivation.salt,
      passes: UInt32(derivation.passes),
      memoryKiB: UInt32(derivation.kibibytes))
  }

  private static func makeSecrets(
    _ key: PasswordKey, _ remote: any Remote, _ location: DatabaseLocation?, _ environment: SyncEnvironment
  ) throws -> DeviceSecrets {
    let random = environment.random
    guard let device = DeviceID(bytes: random.bytes(16)) else {
      throw SyncError(.notStored, "The random source gave too few bytes for a device id.")
    }
    var secrets = DeviceSecrets(
      deviceID: device, installNonce: random.bytes(8), localSecret: random.bytes(32),
      marks: StoreMarks(databaseNonce: random.bytes(16), location: location))
    secrets.passwordKeys[firstEpoch] = key
    secrets.dataKeys[firstEpoch] = random.bytes(32)
    secrets.remoteIdentity = try remote.identity
    return secrets
  }

  /// Whether secrets have the vault's name, readable or not.
  private static func isTaken(_ vault: Vault) throws -> Bool {
    do { return try vault.secrets.read(vault.name) != nil } catch let error as CustodyError {
      guard error.code == .damaged || error.code == .tooNew else { throw error }
      return true
    }
  }

  /// Stores the new identity: first the secrets, then, in one transaction, what the database keeps of it. Edits that
  /// another id stamped here and did not send become this one's.
  private func begin(_ devices: [DeviceID]) throws {
    let former = try author()
    var confirmed = try former.flatMap { try confirmedCursor(of: $0) }
    if let former {
      try store.settle(as: former)
      // Another remote, or a set that was begun anew: what the former id sent is not there to be read.
      if !devices.contains(former) { confirmed?.seq = 0 }
    }
    if confirmed?.seq == 0 { confirmed?.hash = Cursor.start.hash }
    // The engine's own copy: it has pinned the key files that it opened.
    try vault.write(secrets)
    try environment.step("attach")
    let key = try Self.keyFile(for: secrets, environment)
    try store.engineWrite {
      try store.adopt(secrets, secretsName: vault.name, keyFile: key)
      if let former { try leave(former, at: confirmed, for: secrets) }
    }
  }

  /// Asks the first head that can be read: all devices of a remote hold one app's data.
  private func checkSchemaName(_ peers: [DeviceID]) throws {
    for peer in peers where peer != device {
      guard let head = try head(of: peer) else { continue }
      if head.schemaName == store.schema.name { return }
      throw SyncError(
        .otherSchema,
        "The remote holds “\(head.schemaName)”, and this database is “\(store.schema.name)”. Use another folder."
      )
    }
  }
}

extension EpochID {
  /// An epoch id from stored bytes.
  init(checking bytes: [UInt8]) throws {
    guard let id = EpochID(bytes: bytes) else {
      throw CodecError(.malformed, "A stored epoch id does not have 16 bytes.")
    }
    self = id
  }
}
