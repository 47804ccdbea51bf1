/// What a key file seals. Padded to 512 bytes:
///
///     offset  bytes
///      0      32     DK, the device's data key of the file's epoch
///     32       1     the number of earlier keys, at most 8
///     33      36 n   for each, epochs ascending: epoch 4, DK 32
///      +       1     1 if a recovery slot's key follows, else 0
///      +      16     the recovery salt, if it follows
///      +      32     the recovery KEK, if it follows
///     rest           zeros
///
/// The recovery KEK and its salt travel together from epoch to epoch, so that a device which knows only the
/// password can write the recovery slot of a new key file.
package struct KeyPayload: Sendable {
  /// A data key of an epoch before the file's own.
  package struct EarlierKey: Sendable {
    /// The key's epoch.
    package let epoch: UInt32
    /// The data key.
    package let dataKey: Secret

    /// A data key and its epoch.
    package init(epoch: UInt32, dataKey: Secret) {
      self.epoch = epoch
      self.dataKey = dataKey
    }
  }

  /// What a recovery slot is sealed under.
  package struct Recovery: Sendable {
    /// The salt that the KEK was derived with.
    package let salt: [UInt8]
    /// H(recovery key, "recovery", salt).
    package let kek: Secret

    /// A recovery KEK and its salt.
    package init(salt: [UInt8], kek: Secret) {
      self.salt = salt
      self.kek = kek
    }

    /// The KEK of a recovery key under a new salt.
    package init(key: RecoveryKey, random: any RandomSource) throws {
      salt = random.bytes(KeyDerivation.saltSize)
      kek = try key.deriveKEK(salt: salt)
    }
  }

  /// The bytes that a payload is padded to.
  static let size = 512
  /// The most earlier keys that a file holds.
  package static let mostEarlierKeys = 8

  /// The data key of the file's epoch.
  package var dataKey: Secret
  /// Earlier data keys that are still in use, epochs ascending.
  package var earlierKeys: [EarlierKey]
  /// The recovery slot's key, if the set has one.
  package var recovery: Recovery?

  /// What to seal.
  package init(dataKey: Secret, earlierKeys: [EarlierKey] = [], recovery: Recovery? = nil) {
    self.dataKey = dataKey
    self.earlierKeys = earlierKeys
    self.recovery = recovery
  }
}

extension KeyPayload {
  /// The padded bytes, in guarded memory.
  func encode(epoch: UInt32) throws -> Secret {
    guard earlierKeys.count <= Self.mostEarlierKeys else {
      throw CodecError(
        .tooLarge,
        "A key file holds at most \(Self.mostEarlierKeys) earlier keys. Compact under the newest first.")
    }
    try Self.check(epochs: earlierKeys.map(\.epoch), epoch: epoch)
    return try Secret(count: Self.size) { buffer in
      var output = SecretWriter(buffer: buffer)
      try output.write(dataKey, size: 32)
      output.write([UInt8(earlierKeys.count)])
      for key in earlierKeys {
        output.write(withUnsafeBytes(of: key.epoch.bigEndian) { Array($0) })
        try output.write(key.dataKey, size: 32)
      }
      output.write([recovery == nil ? 0 : 1])
      guard let recovery else { return }
      guard recovery.salt.count == KeyDerivation.saltSize else {
        throw CodecError(.parameters, "A recovery salt has \(KeyDerivation.saltSize) bytes.")
      }
      output.write(recovery.salt)
      try output.write(recovery.kek, size: 32)
    }
  }

  /// Reads what `encode` wrote.
  init(decoding secret: Secret, epoch: UInt32) throws {
    self = try secret.withBytes { buffer in
      var input = SecretReader(buffer: buffer)
      let dataKey = try input.readSecret(32)
      let count = Int(try input.read(1)[0])
      guard count <= Self.mostEarlierKeys else {
        throw CodecError(
          .tooLarge, "The key file lists \(count) earlier keys, at most \(Self.mostEarlierKeys) may.")
      }
      var earlier: [EarlierKey] = []
      for _ in 0..<count {
        let epoch = UInt32(bigEndian: try input.read(4).loadUnaligned(as: UInt32.self))
        earlier.append(EarlierKey(epoch: epoch, dataKey: try input.readSecret(32)))
      }
      try Self.check(epochs: earlier.map(\.epoch), epoch: epoch)
      let recovery = try Self.readRecovery(&input)
      guard input.restIsZero else {
        throw CodecError(.trailingBytes, "The key file's padding holds something else than zeros.")
      }
      return KeyPayload(dataKey: dataKey, earlierKeys: earlier, recovery: recovery)
    }
  }

  private static func readRecovery(_ input: inout SecretReader) throws -> Recovery? {
    switch try input.read(1)[0] {
    case 0: return nil
    case 1:
      let salt = Array(try input.read(KeyDerivation.saltSize))
      return Recovery(salt: salt, kek: try input.readSecret(32))
    default: throw CodecError(.malformed, "The key file's recovery mark is neither 0 nor 1.")
    }
  }

  private static func check(epochs: [UInt32], epoch: UInt32) throws {
    // Not strictly: two password changes at once give one number twice.
    let ascends = zip(epochs, epochs.dropFirst() + [epoch]).allSatisfy { $0 <= $1 }
    guard ascends else {
      throw CodecError(.malformed, "The key file's earlier epochs do not ascend up to its own, \(epoch).")
    }
  }
}
