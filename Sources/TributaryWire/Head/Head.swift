package import TributaryCodec
package import TributaryModel

/// A device's one overwritten file: what it has written and what it has read.
package struct Head: Hashable, Sendable {
  /// The last log, and the hash of its sealed bytes.
  package struct Log: Hashable, Sendable {
    package var seq: UInt64
    package var hash: Digest

    /// A log and its hash.
    package init(seq: UInt64, hash: Digest) {
      self.seq = seq
      self.hash = hash
    }
  }

  /// The newest snapshot.
  package struct Snapshot: Hashable, Sendable {
    /// The log that it reaches to.
    package var seq: UInt64
    /// How many parts it has.
    package var parts: UInt32
    /// The hash of its last part's sealed bytes.
    package var hash: Digest

    /// A snapshot.
    package init(seq: UInt64, parts: UInt32, hash: Digest) {
      self.seq = seq
      self.parts = parts
      self.hash = hash
    }
  }

  /// A peer that is taken for gone.
  package struct Retired: Hashable, Sendable {
    package var device: DeviceID
    /// When the mark was set, in milliseconds since 1970.
    package var time: Int64

    /// A mark.
    package init(device: DeviceID, time: Int64) {
      self.device = device
      self.time = time
    }
  }

  /// The lowest build that may take part; of several, the latest stamp holds.
  package struct Floor: Hashable, Sendable {
    package var version: UInt32
    package var stamp: Stamp
    /// The device that set it.
    package var setter: DeviceID

    /// A floor.
    package init(version: UInt32, stamp: Stamp, setter: DeviceID) {
      self.version = version
      self.stamp = stamp
      self.setter = setter
    }
  }

  /// The schema's name: another is another app's data.
  package var schemaName: String
  /// Nil before the first log.
  package var lastLog: Log?
  /// Nil before the first snapshot.
  package var snapshot: Snapshot?
  /// What the device had read when its change log was last sealed.
  package var cursors: CursorVector
  /// The same as far as it counts for pruning.
  package var acknowledged: CursorVector
  /// In the order of devices.
  package var retired: [Retired]
  /// In the order of devices.
  package var pruned: [PrunedPast]
  /// The app's build number.
  package var appVersion: UInt32
  /// The format that the build reads.
  package var format: UInt32
  /// The build's schema version.
  package var schemaVersion: UInt32
  /// The device's name for people, at most 128 bytes of UTF-8.
  package var deviceName: String
  /// The key epoch that the device writes under.
  package var epoch: UInt32
  /// The digest of the device's state; 16 bytes, or none.
  package var stateDigest: [UInt8]
  /// Nil while nobody set one.
  package var floor: Floor?
  /// The remote that the store moved to, for people; nil if it did not.
  package var movedTo: String?
  /// The wall clock at writing, in milliseconds since 1970.
  package var wall: Int64

  /// A head of a device that has done nothing.
  package init(
    schemaName: String, appVersion: UInt32 = 0, format: UInt32 = 1, schemaVersion: UInt32 = 1,
    deviceName: String = "", epoch: UInt32 = 0, wall: Int64 = 0
  ) {
    self.schemaName = schemaName
    self.cursors = [:]
    self.acknowledged = [:]
    self.retired = []
    self.pruned = []
    self.appVersion = appVersion
    self.format = format
    self.schemaVersion = schemaVersion
    self.deviceName = deviceName
    self.epoch = epoch
    self.stateDigest = []
    self.wall = wall
  }
}
