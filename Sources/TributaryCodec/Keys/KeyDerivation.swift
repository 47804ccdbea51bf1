/// Turns a password into a key, slowly. Live: `Argon2id`; a simulation injects a cheap one.
package protocol PasswordHash: Sendable {
  /// A key of 32 bytes from a normalized password and 16 bytes of salt.
  func derive(password: Secret, salt: [UInt8], passes: Int, kibibytes: Int) throws -> Secret
}

/// How a password becomes a key: the salt of an epoch and the cost of guessing. Never outside its bounds.
///
/// Equal derivations give equal keys, so one run serves every key file that has the same.
package struct KeyDerivation: Hashable, Sendable {
  /// The passes that are allowed.
  package static let passesRange = 2...10
  /// The memory that is allowed, in KiB.
  package static let kibibytesRange = 64 << 10...256 << 10
  /// The bytes of a salt.
  package static let saltSize = 16

  /// Passes over the memory.
  package let passes: Int
  /// Memory in KiB.
  package let kibibytes: Int
  /// The salt of the epoch.
  package let salt: [UInt8]

  /// A derivation within the bounds; others are refused, so that weak or ruinous ones never run.
  package init(passes: Int = 3, kibibytes: Int = 64 << 10, salt: [UInt8]) throws(CodecError) {
    guard Self.passesRange.contains(passes), Self.kibibytesRange.contains(kibibytes),
      salt.count == Self.saltSize
    else {
      throw CodecError(
        .parameters,
        "\(passes) passes over \(kibibytes) KiB with \(salt.count) bytes of salt are outside the bounds: "
          + "\(Self.passesRange) passes, \(Self.kibibytesRange) KiB, \(Self.saltSize) bytes. "
          + "Do not trust this key file.")
    }
    self.passes = passes
    self.kibibytes = kibibytes
    self.salt = salt
  }

  /// The usual cost with a new salt.
  package init(random: any RandomSource) throws(CodecError) {
    try self.init(salt: random.bytes(Self.saltSize))
  }

  /// The key-encryption key of a password.
  package func derive(password: Secret, using hash: any PasswordHash) throws -> Secret {
    let key = try hash.derive(password: password, salt: salt, passes: passes, kibibytes: kibibytes)
    guard key.count == 32 else {
      throw CodecError(.parameters, "The password hash gave \(key.count) bytes for 32.")
    }
    return key
  }
}
