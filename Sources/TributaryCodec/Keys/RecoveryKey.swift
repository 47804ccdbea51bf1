/// A second way in, for when the password is lost: 128 random bits, written down on paper.
///
/// The text is 30 characters of Crockford's base32 (`0123456789ABCDEFGHJKMNPQRSTVWXYZ`) in six groups of five,
/// joined by dashes. It holds 150 bits, highest first: the 128 of the key, then a checksum, the first 22 bits of
/// H(key, "checksum"). Reading takes lower case, spaces and dashes anywhere, O for 0, I and L for 1.
package struct RecoveryKey: Sendable {
  /// The bytes of the key.
  package static let size = 16

  /// The key itself.
  package let secret: Secret

  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  private static let characters = 30
  private static let checksumBits = 22

  /// A new key.
  package init(random: any RandomSource) throws {
    secret = try Secret(random: random, count: Self.size)
  }

  /// The key from its text; `recoveryKey` with what to look at if it was mistyped.
  package init(parsing text: String) throws {
    var bits = Bits()
    var count = 0
    for character in text.utf8 where !Self.isSeparator(character) {
      guard let digit = Self.digit(character) else {
        throw CodecError(
          .recoveryKey,
          "The recovery key has a character that none has (after \(count)). Only 0-9 and A-Z but U.")
      }
      guard count < Self.characters else { break }
      bits.append(UInt64(digit), count: 5)
      count += 1
    }
    let given = text.utf8.lazy.filter { !Self.isSeparator($0) }.count
    guard given == Self.characters else {
      throw CodecError(
        .recoveryKey, "The recovery key has \(given) characters, not \(Self.characters). Count again.")
    }
    try self.init(checking: bits)
  }

  /// The text to write down. It is a secret in ordinary memory: show it and let it go.
  package var text: String {
    var bits = Bits()
    secret.withBytes { for byte in $0 { bits.append(UInt64(byte), count: 8) } }
    bits.append(Self.checksum(secret), count: Self.checksumBits)
    var text = ""
    for index in 0..<Self.characters {
      if index > 0, index % 5 == 0 { text.append("-") }
      text.unicodeScalars.append(Unicode.Scalar(Self.alphabet[Int(bits.five(at: index))]))
    }
    return text
  }

  /// The key-encryption key of a recovery slot: H(key, "recovery", salt). The key is random: no Argon2.
  package func deriveKEK(salt: [UInt8]) throws -> Secret { try Hash.deriveKey(secret, .recovery, salt) }

  private init(checking bits: Bits) throws {
    let secret = try Secret(count: Self.size) { buffer in
      for index in 0..<Self.size { buffer[index] = bits.byte(at: index) }
    }
    guard bits.tail(Self.checksumBits) == Self.checksum(secret) else {
      throw CodecError(.recoveryKey, "The recovery key has a typing error. Compare it with the paper.")
    }
    self.secret = secret
  }

  private static func checksum(_ secret: Secret) -> UInt64 {
    let bytes = Hash.keyed(secret, .checksum).bytes
    return (UInt64(bytes[0]) << 16 | UInt64(bytes[1]) << 8 | UInt64(bytes[2])) >> 2
  }

  private static func isSeparator(_ character: UInt8) -> Bool {
    [UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t")]
      .contains(character)
  }

  private static func digit(_ character: UInt8) -> UInt8? {
    let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character)
    switch isLower ? character - 32 : character {
    case UInt8(ascii: "O"): return 0
    case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
    case let upper: return alphabet.firstIndex(of: upper).map { UInt8($0) }
    }
  }
}

/// The 150 bits of the text, highest first.
private struct Bits {
  private var words: [Bool] = []

  init() { words.reserveCapacity(150) }

  mutating func append(_ value: UInt64, count: Int) {
    for shift in (0..<count).reversed() { words.append(value >> UInt64(shift) & 1 == 1) }
  }

  func five(at index: Int) -> UInt64 { number(words[(index * 5)..<(index * 5 + 5)]) }

  func byte(at index: Int) -> UInt8 { UInt8(number(words[(index * 8)..<(index * 8 + 8)])) }

  func tail(_ count: Int) -> UInt64 { number(words.suffix(count)) }

  private func number(_ bits: ArraySlice<Bool>) -> UInt64 { bits.reduce(0) { $0 << 1 | ($1 ? 1 : 0) } }
}
