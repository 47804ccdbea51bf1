internal import TributaryModel

/// The header's bytes.
extension KeyFile {
  static func write(_ header: KeyFileHeader, to output: inout ByteWriter) {
    output.write(bytes: header.device.bytes)
    output.write(u64: header.installNonce)
    output.write(u32: header.epoch)
    output.write(bytes: header.epochID.bytes)
    output.write(u32: UInt32(header.derivation.passes))
    output.write(u32: UInt32(header.derivation.kibibytes))
    output.write(bytes: header.derivation.salt)
  }

  /// Magic, version and flags; whether a recovery slot follows.
  static func readStart(_ input: inout ByteReader) throws(CodecError) -> Bool {
    guard try input.readBytes(4) == magic else {
      throw CodecError(.badMagic, "The file is not a key file of Tributary's. Remove it from the folder.")
    }
    let version = try input.readU8()
    guard version == Self.version else {
      throw CodecError(
        .unsupportedVersion,
        "The key file has version \(version); this build reads \(Self.version). Update it.")
    }
    let flags = try input.readU8()
    guard flags <= 1 else {
      throw CodecError(.malformed, "The key file sets flags that version 1 lacks. Fetch it again.")
    }
    return flags == 1
  }

  static func readHeader(_ input: inout ByteReader) throws(CodecError) -> KeyFileHeader {
    let device = DeviceID(bytes: try input.readBytes(16))
    let installNonce = try input.readU64()
    let epoch = try input.readU32()
    let epochID = EpochID(bytes: try input.readBytes(EpochID.size))
    guard let device, let epochID else { throw CodecError(.malformed, "The key file's ids are cut.") }
    let passes = Int(try input.readU32())
    let kibibytes = Int(try input.readU32())
    let derivation = try KeyDerivation(
      passes: passes, kibibytes: kibibytes, salt: try input.readBytes(KeyDerivation.saltSize))
    return KeyFileHeader(
      device: device, installNonce: installNonce, epoch: epoch, epochID: epochID, derivation: derivation)
  }
}
