import TributaryCodec
package import TributaryCustody
import TributaryModel
import TributaryRemotes
package import TributaryStore
import TributaryWire

/// The sealed logs that this device keeps of its own edits, beside the state.
package struct OutboxCheck {
  private let view: StoreView
  private let secrets: DeviceSecrets

  package init(_ view: StoreView, secrets: DeviceSecrets) {
    self.view = view
    self.secrets = secrets
  }

  /// Opens every log that is kept. After ``StateCheck/run()``, within the same ``StoreView/read(_:)``.
  ///
  /// - Parameter comparing: whether to compare its values with those of the state as well.
  package func run(_ check: StateCheck, comparing: Bool = true) throws {
    try view.forEachOutboxFile { file in
      // Files of a former id, and what is no log, are sealed under keys that are not here.
      guard case .log(secrets.deviceID, let seq)? = RemoteName(path: file.name) else { return }
      do {
        guard let body = try OutboxLog.body(of: file.bytes, seq, secrets) else { return }
        let entries = try body.entries(format: Build.readableFormat)
        if comparing { try check.compare(entries, with: file.name) }
      } catch let error where error is CodecError || error is WireError {
        let message = (error as? CodecError)?.message ?? (error as? WireError)?.message ?? "\(error)"
        try check.find(
          StateFinding(
            .outbox, "This device's own copy of \(file.name) does not open: \(message)",
            remedy: "If the file is on the remote, nothing is lost; else \(Self.restore)"))
      }
    }
  }

  private static let restore = "restore the database from a backup."
}

extension Build {
  /// The format of sync files that this version of the engine reads.
  package static var readableFormat: UInt32 { Build(schemaVersion: 0, types: [:]).format }
}
