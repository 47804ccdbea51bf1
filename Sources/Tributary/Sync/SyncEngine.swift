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
  var vault: Vault
  var secrets: DeviceSecrets
  let deviceName: String
  var keys: [DeviceID: Secret] = [:]
  /// The newest heads that were ever seen.
  var heads: [DeviceID: KnownHead] = [:]
  /// What the heads that were read looked like to the remote.
  var tags: [DeviceID: Tag] = [:]
  /// How far those were read that have no directory on the remote.
  var absent: CursorVector = [:]

  init(
    _ store: StoreCore, _ remote: CountingRemote, _ vault: Vault, _ secrets: DeviceSecrets,
    deviceName: String,
    _ environment: SyncEnvironment
  ) {
    self.store = store
    self.remote = remote
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
    // Another process may have given numbers to fields that this one has never seen.
    store.tables.numbers.forget()
    var report = SyncReport()
    try partingFromTwins(&report, run)
    report.held = try store.heldCounts().values.reduce(0, +)
    (report.parked, report.repaired) = try store.repairs()
    let cost = remote.take()
    (report.requests, report.bytesRead, report.bytesWritten) = (
      cost.requests, cost.bytesRead, cost.bytesWritten
    )
    return report
  }

  /// Runs `body`, and once more under a new id if another device turns out to write under this one's.
  func partingFromTwins(_ report: inout SyncReport, _ body: (inout SyncReport) throws -> Void) throws {
    do {
      try body(&report)
    } catch let error as SyncError where error.code == .twin {
      try takeNewIdentity("Another device has published files under this device's id.", &report)
      report.gaps = [:]
      try body(&report)
    }
  }

  private func run(_ report: inout SyncReport) throws {
    try checkIdentity(&report)
    try noteDrift(&report)
    try readAgain(&report)
    try environment.step("settle")
    environment.progress(SyncProgress(.checking))
    try store.settle(as: device)
    try store.fillNewColumns(as: device)
    try checkOwnHead(&report)
    try publishKey()
    try noteBypass(&report)
    let devices = try listDevices()
    let formers = try formers()
    let peers = try refreshHeads(of: devices.filter { $0 != device }, &report)
    try checkReaders()
    // Former ids first: what they sent must be known before edits are dated anew, and those before anything is merged.
    try pull(peers.filter(formers.contains), &report)
    try settleFormers(listed: devices, &report)
    guard try self.formers().isEmpty || !hasFutureEdits() else { return }
    try stampAnew(&report)
    try retryHeld(&report)
    try bootstrap(&report)
    try pull(peers.filter { !formers.contains($0) }, &report)
    try readAbsent(listed: devices, &report)
    try retryHeld(&report)
    try settleFormers(listed: devices, &report)
    guard try self.formers().isEmpty, try isClockTrusted(&report) else { return }
    try checkFilesOfLateReaders(&report)
    try push(&report)
  }

  private func pull(_ peers: [DeviceID], _ report: inout SyncReport) throws {
    for (index, peer) in peers.enumerated() {
      environment.progress(SyncProgress(.reading, done: index, total: peers.count))
      do {
        try pull(peer, &report)
      } catch let error as PeerProblem {
        report.gaps[peer] = error.reason
      }
    }
  }

  /// Tells once of tables that lost their guards.
  private func noteBypass(_ report: inout SyncReport) throws {
    guard let tables = try store.note(.unguarded)?.string else { return }
    report.notices.append(
      SyncNotice(
        .bypassed, nil,
        "Another program removed the guards of \(tables), and may have changed rows without their being noticed. Such "
          + "changes are not sent: check the database."))
    try store.engineWrite { try store.removeNote(.unguarded) }
  }

  /// The devices on the remote. This device's own must be among them.
  private func listDevices() throws -> [DeviceID] {
    let listing = try remote.list(device: nil)
    guard listing.devices.contains(device) || !listing.complete else {
      throw SyncError(
        .ownDirectoryMissing,
        "The remote no longer has this device's files (sync/\(device)). Nothing here was changed. Check that it is the "
          + "right folder; if its content is really gone, attach again, with --new if nothing is left there.")
    }
    return listing.devices.sorted()
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
