package import TributaryModel
package import TributaryStore
import TributaryWire

/// What a store remembers of another device's newest head.
package struct KnownPeer: Sendable, Hashable {
  /// What people call it.
  package let name: String?
  /// When it wrote the head, in milliseconds since 1970 by its own clock.
  package let lastSeen: Int64
  /// How many logs it had written by then.
  package let logsWritten: UInt64
  /// The app's build, the format that it reads, and the version of its schema, as it said then.
  package let appVersion: UInt32
  package let format: UInt32
  package let schemaVersion: UInt32
  /// How far it had read the others.
  package let cursors: CursorVector

  /// The peers whose heads this store has read. Within ``StoreView/read(_:)``.
  package static func all(_ view: StoreView) throws -> [DeviceID: KnownPeer] {
    // Facts that do not parse are read anew by the next sync.
    try view.peerFacts().compactMapValues { try? KnownHead(facts: $0).head }.mapValues { head in
      KnownPeer(
        name: head.deviceName.isEmpty ? nil : head.deviceName, lastSeen: head.wall,
        logsWritten: head.lastLog?.seq ?? 0, appVersion: head.appVersion, format: head.format,
        schemaVersion: head.schemaVersion, cursors: head.cursors)
    }
  }
}
