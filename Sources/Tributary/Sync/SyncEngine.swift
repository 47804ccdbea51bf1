import TributaryCodec
package import TributaryCustody
package import TributaryModel
import TributaryRemotes
import TributaryStore
import TributaryWire

/// One store attached to one remote. Synchronous and confined to its owner; the async face runs it.
package final class SyncEngine {
  /// The only epoch while passwords do not change.
  static let firstEpoch: UInt32 = 1

  let store: StoreCore
  let remote: CountingRemote
  let environment: SyncEnvironment
  let vault: Vault
  var secrets: DeviceSecrets
  let deviceName: String
  var keys: [DeviceID: Secret] = [:]
  /// The newest heads that were ever seen.
  var heads: [DeviceID: KnownHead] = [:]
  /// What the heads that were read looked like to the remote.
  var tags: [DeviceID: Tag] = [:]

  init(
    _ store: StoreCore, _ remote: any Remote, _ vault: Vault, _ secrets: DeviceSecrets, deviceName: String,
    _ environment: SyncEnvironment
  ) {
    self.store = store
    self.remote = CountingRemote(remote)
    self.vault = vault
    self.secrets = secrets
    self.deviceName = deviceName
    self.environment = environment
  }

  package var device: DeviceID { secrets.deviceID }

  /// Reads what peers wrote, then uploads what is new here.
  /// - Throws: ``SyncError``, the remote's errors, or SQLite's. Whatever happens, nothing unsent is lost: it stays in
  ///   the change log or as a sealed file, and the next sync goes on.
  package func sync() throws -> SyncReport {
    _ = remote.take()
    var report = SyncReport()
    try checkIdentity()
    try environment.step("settle")
    environment.progress(SyncProgress(.checking))
    try store.settle(as: device)
    let devices = try listDevices()
    try retryHeld(&report)
    let peers = try refreshHeads(of: devices.filter { $0 != device }, &report)
    try bootstrap(&report)
    for (index, peer) in peers.enumerated() {
      environment.progress(SyncProgress(.reading, done: index, total: peers.count))
      do {
        try pull(peer, &report)
      } catch let error as PeerProblem {
        report.gaps[peer] = error.reason
      }
    }
    try retryHeld(&report)
    try push(&report)
    report.held = try store.held().count
    let cost = remote.take()
    (report.requests, report.bytesRead, report.bytesWritten) = (
      cost.requests, cost.bytesRead, cost.bytesWritten
    )
    return report
  }

  /// The devices on the remote. This device's own must be among them.
  private func listDevices() throws -> [DeviceID] {
    let listing = try remote.list(device: nil)
    guard listing.devices.contains(device) || !listing.complete else {
      throw SyncError(
        .ownDirectoryMissing,
        "The remote no longer has this device's files (sync/\(device)). Nothing here was changed. Check that it is the "
          + "right folder; if its content is really gone, attach again.")
    }
    return listing.devices.sorted()
  }

  /// A copied or restored database must not go on under this device's identity.
  private func checkIdentity() throws {
    guard case .blob(let nonce)? = try store.note("nonce") else {
      throw SyncError(.notAttached, "This database is not attached to a remote. Attach it first.")
    }
    let marks = secrets.marks
    if nonce == marks.pendingNonce {
      secrets.marks.databaseNonce = nonce
      secrets.marks.pendingNonce = nil
      try vault.write(secrets)
    } else if nonce != marks.databaseNonce {
      throw SyncError(
        .copiedStore,
        "This database is a copy, or an older state of the one that this device syncs. Nothing was sent. Attach it as "
          + "a device of its own.")
    }
  }
}

/// Where a device's secrets are kept.
package struct Vault: Sendable {
  package var secrets: any SecretStore
  package var name: String

  package init(_ secrets: any SecretStore, name: String) {
    self.secrets = secrets
    self.name = name
  }

  func read() throws -> DeviceSecrets? { try secrets.read(name).map { try DeviceSecrets(decoding: $0) } }
  func write(_ value: DeviceSecrets) throws { try secrets.write(name, value.encoded()) }
}
