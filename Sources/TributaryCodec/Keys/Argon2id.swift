internal import CSodium

/// Argon2id (RFC 9106), version 0x13, one lane, 32 bytes of output.
package struct Argon2id: PasswordHash {
  /// The live password hash.
  package init() {}

  package func derive(password: Secret, salt: [UInt8], passes: Int, kibibytes: Int) throws -> Secret {
    // The bounds hold here too, for callers that do not come from a key file.
    let bounded = try KeyDerivation(passes: passes, kibibytes: kibibytes, salt: salt)
    return try Secret(count: 32) { output in
      let result = password.withBytes { Self.run(bounded, password: $0, into: output) }
      guard result == 0 else {
        throw CodecError(.memory, "Argon2 could not have \(kibibytes) KiB. Close other work and try again.")
      }
    }
  }

  private static func run(
    _ parameters: KeyDerivation, password: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> Int32 {
    guard let target = output.bytePointer, let text = password.assumingMemoryBound(to: CChar.self).baseAddress
    else { return -1 }
    return crypto_pwhash(
      target, UInt64(output.count), text, UInt64(password.count), parameters.salt, UInt64(parameters.passes),
      parameters.kibibytes << 10, crypto_pwhash_ALG_ARGON2ID13)
  }
}
