import TributaryCodec
package import TributaryCustody
package import TributaryModel
package import TributaryStore
import TributaryWire

/// The logs that this device has sealed and still keeps.
enum OutboxLog {
  /// What a log says; nil if its key is not among the secrets.
  static func body(of bytes: [UInt8], _ seq: UInt64, _ secrets: DeviceSecrets) throws -> LogBody? {
    let place = FilePlace.log(secrets.deviceID, seq)
    guard let key = secrets.dataKeys[try SealedFile.peek(bytes, at: place).epoch] else { return nil }
    return try LogBody(decoding: SealedFile.open(bytes, at: place, dataKey: try Secret(key)).body)
  }
}

extension LogBody {
  /// The entries that a build of that format reads.
  func entries(format: UInt32) throws -> [Entry] { try BlockContent.entries(blocks, format: format) }
}

/// Which of this device's edits are on the remote.
package enum UnsentEdits {
  /// The moment from which on edits of this device may not be on the remote yet. Within ``StoreView/read(_:)``.
  ///
  /// - Parameter secrets: without them, files that wait for their upload cannot be read, and everything may be in them.
  package static func start(_ view: StoreView, _ secrets: DeviceSecrets?) throws -> Moment {
    var start = try view.sealedMoment.next
    try view.forEachOutboxFile(unsentOnly: true) { file in
      guard file.name.hasSuffix(".log") else { return }
      start = min(start, firstMoment(of: file, secrets))
    }
    return start
  }

  /// The first edit that a log carries; the beginning of time where that is not known, or where it stands for a snapshot.
  private static func firstMoment(of file: StoreCore.OutboxFile, _ secrets: DeviceSecrets?) -> Moment {
    guard let secrets, let body = try? OutboxLog.body(of: file.bytes, file.seq, secrets), !body.isSnapshot,
      let entries = try? body.entries(format: Build.readableFormat)
    else { return Moment(raw: 0) }
    let own = entries.flatMap(\.stamps).filter { $0.device == secrets.deviceID }
    return own.map(\.moment).min() ?? Moment(raw: 0)
  }
}
