import TributaryCodec
package import TributaryModel
package import TributaryStore

extension StoreCore {
  /// Runs a sync, and writes down in the store what it did, or why it failed. A sync that found another one running did
  /// not begin, and is not written down.
  ///
  /// - Parameters:
  ///   - wall: milliseconds since 1970, by the wall clock.
  ///   - isFailure: whether an error is one; a person who stops a sync is not.
  /// - Throws: what `sync` throws.
  package func logging(
    wall: () -> Int64, isFailure: (any Error) -> Bool = { _ in true }, _ sync: () throws -> SyncReport
  ) throws -> SyncReport {
    do {
      let report = try sync()
      try StoreError.explained { try log(report, at: wall()) }
      return report
    } catch {
      // What stopped the sync is thrown; that it could not be written down as well would only hide it.
      if isFailure(error) { try? log(error, at: wall()) }
      throw error
    }
  }

  private func log(_ report: SyncReport, at time: Int64) throws {
    try engineWrite {
      try appendToSyncLog(report.logEntries(after: SyncLasting(note(.lasting)), at: time))
      try setNote(.lastSync, .integer(time))
      try setNote(.lasting, SyncLasting(report).stored)
      try removeNote(.lastFailure)
    }
  }

  private func log(_ error: any Error, at time: Int64) throws {
    let error = SyncError.explaining(error)
    let code = (error as? SyncError)?.code
    guard code != .busy else { return }
    let failure = SyncFailure(time: time, code: code?.name ?? "", message: "\(error)")
    try engineWrite {
      try appendToSyncLog([SyncLogEntry(time: time, kind: .error, message: failure.message)])
      try setNote(.lastFailure, failure.stored)
    }
  }
}

/// Why the last sync failed, as the store keeps it.
package struct SyncFailure: Sendable, Hashable {
  /// Milliseconds since 1970, UTC, by this device's clock.
  package let time: Int64
  /// The name of the error's code; empty if it has none.
  package let code: String
  /// What happened and what to do, for a person to read.
  package let message: String

  /// Whether the remote has no room left.
  package var isFull: Bool { code == SyncError.Code.remoteFull.name }
  /// Whether the remote could not be reached.
  package var isUnreachable: Bool { code == SyncError.Code.unreachable.name }

  init(time: Int64, code: String, message: String) {
    (self.time, self.code, self.message) = (time, code, message)
  }

  /// Nil if the last sync went well, or there was none. Within ``StoreView/read(_:)``.
  package init?(_ view: StoreView) throws {
    guard let text = try view.note(.lastFailure)?.string else { return nil }
    let parts = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let time = Int64(parts[0]) else { return nil }
    self.init(time: time, code: String(parts[1]), message: String(parts[2]))
  }

  var stored: Value { .text("\(time)\n\(code)\n\(message)") }
}

/// What a sync leaves that lasts until something changes. The log says it once, whichever process syncs.
package struct SyncLasting: Sendable, Hashable {
  package private(set) var held = 0
  package private(set) var parked = 0
  /// Peers that could not be read to their end, with the reason.
  package private(set) var gaps: [DeviceID: String] = [:]

  init(_ report: SyncReport) { (held, parked, gaps) = (report.held, report.parked, report.gaps) }

  /// What the last sync that went well left; nil if there was none. Within ``StoreView/read(_:)``.
  package init?(_ view: StoreView) throws { try self.init(view.note(.lasting)) }

  /// Nil for a note of another form: then everything is said once more.
  init?(_ note: Value?) throws {
    guard case .blob(let bytes)? = note else { return nil }
    var input = ByteReader(bytes)
    do {
      held = Int(clamping: try input.readVarint())
      parked = Int(clamping: try input.readVarint())
      while !input.isAtEnd {
        guard let device = DeviceID(bytes: try input.readBytes(16)) else { return nil }
        let count = Int(clamping: try input.readVarint())
        gaps[device] = String(decoding: try input.readBytes(count), as: UTF8.self)
      }
    } catch {
      return nil
    }
  }

  var stored: Value {
    var out = ByteWriter()
    out.write(varint: UInt64(held))
    out.write(varint: UInt64(parked))
    for (device, reason) in gaps.sorted(by: { $0.key < $1.key }) {
      out.write(bytes: device.bytes)
      out.write(varint: UInt64(reason.utf8.count))
      out.write(bytes: Array(reason.utf8))
    }
    return .blob(out.bytes)
  }
}
