/// Numbers that depend on a seed alone (SplitMix64; Steele, Lea and Flood, 2014).
struct Chance: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mixed(state)
  }

  /// Whether an event of so many in a thousand happens.
  mutating func happens(perMille: Int) -> Bool {
    perMille > 0 && next() % 1000 < UInt64(perMille)
  }

  /// A number that depends on the seed and the words, and on no earlier draw.
  static func number(_ seed: UInt64, _ words: String...) -> UInt64 {
    var hash = mixed(seed)
    for word in words {
      for byte in word.utf8 { hash = mixed(hash ^ UInt64(byte)) }
      hash = mixed(hash ^ 0xFFFF)
    }
    return hash
  }

  private static func mixed(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
