/// A device's name in the fleet: 16 random bytes, written as 26 characters of lower-case base32.
public struct DeviceID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The two halves, big-endian.
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// From exactly 16 bytes; nil for another count.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      if index < 8 { high = high << 8 | UInt64(byte) } else { low = low << 8 | UInt64(byte) }
    }
    self.init(high: high, low: low)
  }

  /// From 26 characters of the alphabet `a-z2-7`; nil for anything else, the two unused bits included.
  public init?(_ text: some StringProtocol) {
    guard text.utf8.count == 26 else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    for (index, character) in text.utf8.enumerated() {
      guard let digit = Self.digit(character) else { return nil }
      let bits = index == 25 ? 3 : 5
      if index == 25, digit & 0b11 != 0 { return nil }
      let value = index == 25 ? digit >> 2 : digit
      high = high << UInt64(bits) | low >> UInt64(64 - bits)
      low = low << UInt64(bits) | value
    }
    self.init(high: high, low: low)
  }

  /// The 16 bytes, big-endian.
  package var bytes: [UInt8] {
    (0..<16).map { index in
      let half = index < 8 ? high : low
      return UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * (index & 7)))
    }
  }

  /// The 26 characters.
  public var description: String {
    var text = ""
    for index in 0..<26 {
      let shift = 123 - 5 * index
      text.unicodeScalars.append(Unicode.Scalar(Self.alphabet[Int(digit(at: shift))]))
    }
    return text
  }

  /// Orders ids as numbers, which decides between edits of one instant.
  public static func < (left: DeviceID, right: DeviceID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }

  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

  private static func digit(_ character: UInt8) -> UInt64? {
    switch character {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt64(character - UInt8(ascii: "a"))
    case UInt8(ascii: "2")...UInt8(ascii: "7"): UInt64(character - UInt8(ascii: "2") + 26)
    default: nil
    }
  }

  /// Five bits of the 128, the lowest of them at `shift`; two zero bits follow the last.
  private func digit(at shift: Int) -> UInt64 {
    if shift < 0 { return low << 2 & 31 }
    if shift >= 64 { return high >> UInt64(shift - 64) & 31 }
    let lower = low >> UInt64(shift)
    return (shift > 59 ? lower | high << UInt64(64 - shift) : lower) & 31
  }
}
