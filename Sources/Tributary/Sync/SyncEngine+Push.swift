import TributaryCodec
import TributaryCustody
import TributaryModel
import TributaryRemotes
import TributaryStore
import TributaryWire

extension SyncEngine {
  /// Seals what is new, uploads what is sealed, and writes the head if it says anything new.
  func push(_ report: inout SyncReport) throws {
    try publishFrozen(&report)
    try store.settle(as: device)
    let entries = try store.unsentEdits(of: device).sorted { $0.name < $1.name }
    if !entries.isEmpty {
      try seal(entries)
      report.sent = entries.count
      try publishFrozen(&report)
    }
    try writeHead(&report)
  }

  /// Freezes the bytes of the next logs in the store, so that every retry sends the same ones.
  private func seal(_ entries: [Entry]) throws {
    let cursors = try store.cursors()
    var own = cursors[device] ?? .start
    let before = cursors.filter { $0.key != device }
    let bodies = try LogWriter.split(entries, template: LogBody(cursors: before))
    let nonce = environment.random.bytes(16)
    secrets.marks.pendingNonce = nonce
    try vault.write(secrets)
    try environment.step("seal")
    let sealing = try sealing()
    try store.engineWrite {
      for body in bodies {
        own.seq += 1
        guard let previous = Digest(bytes: own.hash) else {
          throw SyncError(.notStored, "The hash of this device's last log is damaged. Attach it again.")
        }
        let bytes = try SealedFile.seal(
          try body.encode(), at: .log(device, own.seq), previous: previous, with: sealing)
        own.hash = Container.fileHash(bytes).bytes
        try store.freeze(.init(name: RemoteName.log(device, seq: own.seq).path, seq: own.seq, bytes: bytes))
      }
      own.moment = entries.flatMap(\.stamps).filter { $0.device == device }.map(\.moment).max() ?? own.moment
      try store.setCursor(own, of: device)
      try store.addVector(of: device, upTo: own.moment, before)
      try store.markSealed()
      try store.setNote("nonce", .blob(nonce))
      try environment.step("commit seal")
    }
    secrets.marks = StoreMarks(sealedSeq: own.seq, databaseNonce: nonce, location: secrets.marks.location)
    try vault.write(secrets)
  }

  private func publishFrozen(_ report: inout SyncReport) throws {
    for file in try store.unsentFiles() {
      try publish(.log(device, seq: file.seq), file.bytes)
      try store.engineWrite { try store.markSent(file.name) }
      report.filesWritten += 1
    }
  }

  private func writeHead(_ report: inout SyncReport) throws {
    let cursors = try store.cursors()
    var head = Head(
      schemaName: store.schema.name, appVersion: store.build.appVersion, format: store.build.format,
      schemaVersion: store.build.schemaVersion, deviceName: deviceName, epoch: Self.firstEpoch)
    head.cursors = cursors.filter { $0.key != device }
    head.acknowledged = head.cursors
    if let own = cursors[device], let hash = Digest(bytes: own.hash) {
      head.lastLog = .init(seq: own.seq, hash: hash)
    }
    let fingerprint = Value.blob(Hash.digest(try head.encode().bytes).bytes)
    guard try store.note("head") != fingerprint else { return }
    head.wall = environment.wall()
    try replaceHead(head)
    try store.engineWrite { try store.setNote("head", fingerprint) }
    report.filesWritten += 1
  }
}
