package import TributaryModel

/// The first 74 bytes of a key file, readable without a key but bound to it by both slots.
package struct KeyFileHeader: Hashable, Sendable {
  /// The device whose keys the file holds.
  package var device: DeviceID
  /// Tells two installations with one device id apart.
  package var installNonce: UInt64
  /// The number of the key epoch.
  package var epoch: UInt32
  /// The name of the key epoch.
  package var epochID: EpochID
  /// How the password becomes the KEK.
  package var derivation: KeyDerivation

  /// A header.
  package init(
    device: DeviceID, installNonce: UInt64, epoch: UInt32, epochID: EpochID, derivation: KeyDerivation
  ) {
    self.device = device
    self.installNonce = installNonce
    self.epoch = epoch
    self.epochID = epochID
    self.derivation = derivation
  }
}

/// A device's keys of one epoch, sealed by the password and, optionally, by the recovery key. Integers are big-endian.
///
///     offset  bytes
///       0       4   magic "TRBK"
///       4       1   version, 1
///       5       1   flags: bit 0 a recovery slot follows; all others 0
///       6      16   device
///      22       8   install nonce
///      30       4   epoch
///      34      16   epoch id
///      50       4   Argon2id passes, 2 to 10
///      54       4   Argon2id KiB, 65,536 to 262,144
///      58      16   salt of the epoch
///      74      32   commitment: H(KEK, "commit")
///     106      24   nonce, random
///     130     528   the payload (512 bytes, see KeyPayload) and 16 bytes of Poly1305
///
/// and, with flag bit 0, the recovery slot:
///
///     658      16   recovery salt
///     674      32   commitment: H(RKEK, "commit")
///     706      24   nonce, random
///     730     528   the same payload
///
/// So a file has 658 or 1,258 bytes. KEK = Argon2id(password, salt, passes, KiB); RKEK = H(recovery key, "recovery",
/// recovery salt). A slot is sealed with XChaCha20-Poly1305-IETF under H(KEK, "seal") or H(RKEK, "seal"); its associated
/// data is every byte of the file before the sealed payload, so the recovery slot covers the password's.
///
/// Open in this order: bounds (`init(parsing:)`), the KEK (once for each distinct derivation), the commitment in
/// constant time, the seal, the device against its directory.
package struct KeyFile: Sendable {
  /// The most bytes that a key file may have.
  package static let sizeLimit = 2048
  /// The format version that this build writes, and the only one that it reads.
  package static let version: UInt8 = 1

  static let magic: [UInt8] = Array("TRBK".utf8)
  static let headerSize = 74
  static let slotSize = Digest.size + SealedPayload.nonceSize + SealedPayload.size
  static let recoveryStart = headerSize + slotSize
  static let fullSize = recoveryStart + KeyDerivation.saltSize + slotSize

  /// What the file says of itself; authentic once a slot opens.
  package let header: KeyFileHeader
  /// The recovery slot's salt; nil without one.
  package let recoverySalt: [UInt8]?
  /// BLAKE2b-256 of the whole file, to be pinned for its (device, epoch).
  package let hash: Digest

  private let bytes: [UInt8]

  /// Judges a file's form and bounds; no key is derived for one that fails.
  package init(parsing bytes: [UInt8]) throws(CodecError) {
    guard bytes.count <= Self.sizeLimit else {
      throw CodecError(.tooLarge, "The key file has \(bytes.count) bytes, at most \(Self.sizeLimit) may be.")
    }
    var input = ByteReader(bytes)
    let hasRecovery = try Self.readStart(&input)
    header = try Self.readHeader(&input)
    let size = hasRecovery ? Self.fullSize : Self.recoveryStart
    guard bytes.count >= size else {
      throw CodecError(
        .truncated, "The key file has \(bytes.count) bytes of \(size). Wait until it has arrived whole.")
    }
    guard bytes.count == size else {
      throw CodecError(
        .trailingBytes, "\(bytes.count - size) bytes follow the key file's end. Fetch it again.")
    }
    recoverySalt =
      hasRecovery ? Array(bytes[Self.recoveryStart..<Self.recoveryStart + KeyDerivation.saltSize]) : nil
    hash = Hash.digest(bytes)
    self.bytes = bytes
  }

  /// Seals a payload under a KEK, and under the payload's recovery KEK if it has one; the result is the whole file.
  package static func seal(
    header: KeyFileHeader, payload: KeyPayload, kek: Secret, random: any RandomSource
  ) throws -> [UInt8] {
    var output = ByteWriter(capacity: fullSize)
    output.write(bytes: magic)
    output.write(u8: version)
    output.write(u8: payload.recovery == nil ? 0 : 1)
    write(header, to: &output)
    let plain = try payload.encode(epoch: header.epoch)
    try SealedPayload.seal(plain, kek: kek, random: random, to: &output)
    if let recovery = payload.recovery {
      output.write(bytes: recovery.salt)
      try SealedPayload.seal(plain, kek: recovery.kek, random: random, to: &output)
    }
    return output.bytes
  }

  /// The KEK of a password for this file. Costly: run once for each distinct `header.derivation`.
  package func deriveKEK(password: Secret, using hash: any PasswordHash) throws -> Secret {
    try header.derivation.derive(password: password, using: hash)
  }

  /// Whether the password slot was sealed under this KEK, in constant time.
  package func isCommitted(to kek: Secret) -> Bool {
    SealedPayload.isCommitted(bytes, at: Self.headerSize, to: kek)
  }

  /// Opens the password slot.
  ///
  /// - Parameter directory: the device whose directory the file lies in.
  /// - Throws: `wrongKey` for another KEK; `authentication` if the KEK is right and the file is not;
  ///   `wrongDevice` for another device's file.
  package func open(kek: Secret, directory: DeviceID) throws -> KeyPayload {
    try open(slot: Self.headerSize, kek: kek, directory: directory)
  }

  /// Opens the recovery slot; throws as `open(kek:directory:)` does, and `wrongKey` if there is no such slot.
  package func open(recoveryKey: RecoveryKey, directory: DeviceID) throws -> KeyPayload {
    guard let recoverySalt else {
      throw CodecError(
        .wrongKey, "The key file of device \(header.device) has no recovery slot. Use the password.")
    }
    let kek = try recoveryKey.deriveKEK(salt: recoverySalt)
    let payload = try open(
      slot: Self.recoveryStart + KeyDerivation.saltSize, kek: kek, directory: directory)
    return payload
  }

  private func open(slot: Int, kek: Secret, directory: DeviceID) throws -> KeyPayload {
    let plain = try SealedPayload.open(bytes, at: slot, kek: kek, device: header.device)
    guard header.device == directory else {
      throw CodecError(
        .wrongDevice,
        "A key file of device \(header.device) lies in the directory of \(directory). Remove it.")
    }
    let payload = try KeyPayload(decoding: plain, epoch: header.epoch)
    guard payload.recovery?.salt == recoverySalt else {
      throw CodecError(
        .malformed, "The key file's recovery slot is not the one its payload names. Fetch it again.")
    }
    return payload
  }
}
