import TributaryCodec
import TributaryCustody
import TributaryModel
import TributaryRemotes
import TributaryStore
import TributaryWire

/// Who this device is. The secrets decide, the database never does; but it remembers who stamped what is in it.
extension SyncEngine {
  /// Makes sure that the database and the secrets belong together. A copied or restored database goes on as a device
  /// of its own.
  func checkIdentity(_ report: inout SyncReport) throws {
    guard case .blob(let nonce)? = try store.note(.nonce) else {
      throw SyncError(.notAttached, "This database is not attached to a remote. Attach it first.")
    }
    if nonce != secrets.marks.databaseNonce { try reloadSecrets() }
    if nonce == secrets.marks.pendingNonce {
      secrets.marks.databaseNonce = nonce
      secrets.marks.pendingNonce = nil
      try vault.write(secrets)
    }
    guard nonce == secrets.marks.databaseNonce else {
      return try takeNewIdentity(
        "The database is a copy, or an older state, of the one that this device synced last.", &report)
    }
    let here = environment.locate(try store.path)
    if let original = original(besides: here) {
      return try takeNewIdentity("The database is a copy of \(original.path).", &report)
    }
    if let here, here != secrets.marks.location {
      secrets.marks.location = here
      try vault.write(secrets)
    }
    if try author() == nil {
      try store.engineWrite { try store.setNote(.author, .blob(device.bytes)) }
    }
  }

  /// The device that stamped the local edits of this database.
  func author() throws -> DeviceID? {
    guard case .blob(let bytes)? = try store.note(.author) else { return nil }
    return DeviceID(bytes: bytes)
  }

  /// Goes on under a new id, with the same password key. Edits that no log carries yet move to it; the directory of
  /// the former id is read like a peer's before anything is sent.
  ///
  /// A device that is stopped here at any step is the former one or the new one, never both.
  ///
  /// - Parameter start: within the same transaction, says after which log of the former id to read on; else it is the
  ///   last one that was confirmed to be there.
  func takeNewIdentity(
    _ why: String, _ report: inout SyncReport, from start: ((DeviceID) throws -> Cursor)? = nil
  ) throws {
    let former = try author() ?? device
    try store.settle(as: former)
    let here = environment.locate(try store.path)
    let (fresh, name) = try successor(of: former, at: here)
    try environment.step("write new secrets")
    try Vault(vault.secrets, name: name).write(fresh)
    try environment.step("take new identity")
    let key = try Self.keyFile(for: fresh, environment)
    let confirmed = try confirmedCursor(of: former)
    try store.engineWrite {
      try store.adopt(fresh, secretsName: name, keyFile: key)
      try leave(former, at: start?(former) ?? confirmed, for: fresh)
      try environment.step("commit new identity")
    }
    // The old secrets stay: a copy or a saved state of this database may still come back to them.
    vault.name = name
    secrets = fresh
    report.notices.append(
      SyncNotice(
        .newIdentity, former,
        "\(why) It goes on as a device of its own, \(device); nothing is lost or sent twice."))
  }

  /// Publishes the key file, unless it is there already. Its bytes are kept, so that a retry sends the same ones.
  func publishKey() throws {
    guard try store.note(.keySent) != .integer(1), case .blob(let bytes)? = try store.note(.keyFile) else {
      return
    }
    try publish(.key(device, epoch: Self.firstEpoch), bytes)
    try store.engineWrite { try store.setNote(.keySent, .integer(1)) }
  }

  /// The sealed key file of a device's secrets.
  static func keyFile(for secrets: DeviceSecrets, _ environment: SyncEnvironment) throws -> [UInt8] {
    guard let key = secrets.passwordKeys[firstEpoch], let dataKey = secrets.dataKeys[firstEpoch] else {
      throw SyncError(.notAttached, "This device's keys are missing. Attach it again.")
    }
    let header = KeyFileHeader(
      device: secrets.deviceID, installNonce: secrets.installNonce.reduce(0) { $0 << 8 | UInt64($1) },
      epoch: firstEpoch, epochID: try EpochID(checking: key.epochID),
      derivation: try KeyDerivation(
        passes: Int(key.passes), kibibytes: Int(key.memoryKiB), salt: key.salt))
    return try KeyFile.seal(
      header: header, payload: KeyPayload(dataKey: try Secret(dataKey)), kek: try Secret(key.key),
      random: environment.random)
  }

  /// Moves what `former` has not sent to the new id, within the transaction that makes the change. What is on the
  /// remote after `confirmed` is to be read first.
  func leave(_ former: DeviceID, at confirmed: Cursor?, for fresh: DeviceSecrets) throws {
    try store.restampUnsent(of: former) { Stamp($0.moment, fresh.deviceID) }
    if let confirmed { try store.setCursor(confirmed, of: former) }
    let formers = try formers() + [former]
    try store.setNote(.former, .blob(formers.flatMap(\.bytes)))
    try store.setNote(
      .lives, .blob(try devices(.lives).filter { $0 != former }.flatMap(\.bytes) + former.bytes))
  }

  private func successor(of former: DeviceID, at here: DatabaseLocation?) throws -> (DeviceSecrets, String) {
    let random = environment.random
    guard let id = DeviceID(bytes: random.bytes(16)) else {
      throw SyncError(.notStored, "The random source gave too few bytes for a device id.")
    }
    var fresh = DeviceSecrets(
      deviceID: id, installNonce: random.bytes(8), localSecret: random.bytes(32),
      marks: StoreMarks(databaseNonce: random.bytes(16), location: here))
    fresh.passwordKeys = secrets.passwordKeys
    fresh.dataKeys[Self.firstEpoch] = random.bytes(32)
    fresh.pins = secrets.pins
    fresh.remoteIdentity = secrets.remoteIdentity
    fresh.extra = secrets.extra
    if former == device { fresh.extra[Self.keyName(former)] = secrets.dataKeys[Self.firstEpoch] }
    return (fresh, Vault.freshName(random))
  }

  /// The file that the secrets were used with last, if it still lies there and is not this one.
  private func original(besides here: DatabaseLocation?) -> DatabaseLocation? {
    guard let seen = secrets.marks.location, let here, !seen.isSameFile(as: here),
      let there = environment.locate(seen.path), there.isSameFile(as: seen)
    else { return nil }
    return seen
  }

  /// Another process may have synced this database since.
  private func reloadSecrets() throws {
    if let name = try store.note(.store)?.string { vault.name = name }
    if let stored = try vault.read() { secrets = stored }
  }
}

extension StoreCore {
  /// Makes the database that of `secrets`, within the caller's transaction.
  func adopt(_ secrets: DeviceSecrets, secretsName: String, keyFile: [UInt8]) throws {
    try setNote(.store, .text(secretsName))
    try setNote(.nonce, .blob(secrets.marks.databaseNonce))
    try setNote(.author, .blob(secrets.deviceID.bytes))
    try setNote(.keyFile, .blob(keyFile))
    try setNote(.keySent, .integer(0))
    try setNote(.headCounter, .integer(0))
    for note in NoteKey.ofDirectory { try removeNote(note) }
  }
}

extension Vault {
  /// A name that no secrets have yet.
  static func freshName(_ random: any RandomSource) -> String {
    random.bytes(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
