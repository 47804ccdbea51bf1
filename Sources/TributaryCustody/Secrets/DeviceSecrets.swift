package import TributaryModel

/// What makes one installation a member of a fleet. Kept outside the database, so that a copied database is noticed.
package struct DeviceSecrets: Hashable, Sendable {
  /// This device's name in the fleet.
  package var deviceID: DeviceID
  /// Eight random bytes of this installation: another install with the same id is a twin.
  package var installNonce: [UInt8]
  /// Thirty-two random bytes that never leave this device.
  package var localSecret: [UInt8]
  /// The keys that the password gave, by epoch.
  package var passwordKeys: [UInt32: PasswordKey] = [:]
  /// This device's own data keys of 32 bytes, by epoch.
  package var dataKeys: [UInt32: [UInt8]] = [:]
  /// The hash of 32 bytes that each key file had when it was first trusted.
  package var pins: [Pin: [UInt8]] = [:]
  /// What tells a copied or rewound database from the one that was last seen.
  package var marks: StoreMarks
  /// The identity of the remote that the cursors belong to; nil before the first attach.
  package var remoteIdentity: String?
  /// Room for what later parts need to keep.
  package var extra: [String: [UInt8]] = [:]
  /// Fields that a newer build wrote, kept as they are.
  package internal(set) var unknownFields: [UInt8: [UInt8]] = [:]

  /// The byte counts are checked when the secrets are encoded.
  package init(deviceID: DeviceID, installNonce: [UInt8], localSecret: [UInt8], marks: StoreMarks) {
    self.deviceID = deviceID
    self.installNonce = installNonce
    self.localSecret = localSecret
    self.marks = marks
  }

  /// Names a key file.
  package struct Pin: Hashable, Sendable {
    package let device: DeviceID
    package let epoch: UInt32

    package init(device: DeviceID, epoch: UInt32) {
      self.device = device
      self.epoch = epoch
    }
  }
}

/// The key that a password gave in one epoch, and how.
package struct PasswordKey: Hashable, Sendable {
  /// 32 bytes.
  package var key: [UInt8]
  /// 16 bytes that tell two epochs of the same number apart.
  package var epochID: [UInt8]
  /// 16 bytes.
  package var salt: [UInt8]
  /// Argon2id passes.
  package var passes: UInt32
  /// Argon2id memory in KiB.
  package var memoryKiB: UInt32

  package init(key: [UInt8], epochID: [UInt8], salt: [UInt8], passes: UInt32, memoryKiB: UInt32) {
    self.key = key
    self.epochID = epochID
    self.salt = salt
    self.passes = passes
    self.memoryKiB = memoryKiB
  }
}

/// What a store and its secrets must agree on.
package struct StoreMarks: Hashable, Sendable {
  /// The last sequence number that was sealed for upload; a database that knows of less was rewound.
  package var sealedSeq: UInt64
  /// 16 random bytes that the database holds as well.
  package var databaseNonce: [UInt8]
  /// The next nonce, while it is being written to the database.
  package var pendingNonce: [UInt8]?
  /// Where the database was last seen.
  package var location: DatabaseLocation?

  package init(
    sealedSeq: UInt64 = 0, databaseNonce: [UInt8], pendingNonce: [UInt8]? = nil,
    location: DatabaseLocation? = nil
  ) {
    self.sealedSeq = sealedSeq
    self.databaseNonce = databaseNonce
    self.pendingNonce = pendingNonce
    self.location = location
  }
}

/// Secrets show themselves to no log, no debugger's summary and no failed expectation.
extension DeviceSecrets: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "secrets of \(deviceID)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension PasswordKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "password key" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
