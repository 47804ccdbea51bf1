/// Numbers modulo 2^130 - 5, in limbs of 26 bits; slow, and only for the attack that the tests mount.
struct Poly: Equatable {
  private(set) var limbs: [UInt64]

  private static let mask: UInt64 = 1 << 26 - 1
  private static let prime: [UInt64] = [mask - 4, mask, mask, mask, mask]

  init(limbs: [UInt64]) {
    self.limbs = limbs + [UInt64](repeating: 0, count: max(0, 5 - limbs.count))
    reduce()
  }

  init(little bytes: [UInt8]) {
    var limbs = [UInt64](repeating: 0, count: 5)
    for (index, byte) in bytes.enumerated() {
      for bit in 0..<8 where byte >> UInt8(bit) & 1 == 1 {
        let position = index * 8 + bit
        limbs[position / 26] |= 1 << UInt64(position % 26)
      }
    }
    self.init(limbs: limbs)
  }

  /// A message block of sixteen zeros: 2^128.
  static let zeroBlock = Poly(little: [UInt8](repeating: 0, count: 16) + [1])

  static func little(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// The message blocks of a part, filled with zeros to a multiple of 16.
  static func blocks(_ bytes: [UInt8]) -> [Poly] {
    let filled = bytes + [UInt8](repeating: 0, count: (16 - bytes.count % 16) % 16)
    return stride(from: 0, to: filled.count, by: 16).map { Poly(little: Array(filled[$0..<$0 + 16]) + [1]) }
  }

  func plus(_ other: Poly) -> Poly { Poly(limbs: zip(limbs, other.limbs).map { $0 + $1 }) }

  func minus(_ other: Poly) -> Poly {
    // Two primes more keep every limb above zero.
    Poly(limbs: (0..<5).map { limbs[$0] + 2 * Self.prime[$0] - other.limbs[$0] })
  }

  func times(_ other: Poly) -> Poly {
    var product = [UInt64](repeating: 0, count: 5)
    for (i, a) in limbs.enumerated() {
      for (j, b) in other.limbs.enumerated() {
        product[(i + j) % 5] += a * b * (i + j >= 5 ? 5 : 1)
      }
    }
    return Poly(limbs: product)
  }

  func power(_ exponent: Int) -> Poly {
    (0..<exponent).reduce(Poly(limbs: [1])) { result, _ in result.times(self) }
  }

  /// By Fermat: the power 2^130 - 7.
  var inverse: Poly {
    var result = Poly(limbs: [1])
    for bit in (0..<130).reversed() {
      result = result.times(result)
      // 2^130 - 7 has all its bits set but the second and third.
      if bit != 1 && bit != 2 { result = result.times(self) }
    }
    return result
  }

  var fitsSixteenBytes: Bool { limbs[4] >> 24 == 0 }

  var sixteenBytes: [UInt8] {
    (0..<16).map { index in
      (0..<8).reduce(UInt8(0)) { byte, bit in
        let position = index * 8 + bit
        return byte | UInt8(limbs[position / 26] >> UInt64(position % 26) & 1) << UInt8(bit)
      }
    }
  }

  /// The sum modulo 2^128, as Poly1305 ends.
  func addingModulo128(_ other: Poly) -> [UInt8] {
    var carry: UInt16 = 0
    return zip(sixteenBytes, other.sixteenBytes).map { a, b in
      let sum = UInt16(a) + UInt16(b) + carry
      carry = sum >> 8
      return UInt8(truncatingIfNeeded: sum)
    }
  }

  private mutating func reduce() {
    for _ in 0..<3 {
      for index in 0..<4 {
        limbs[index + 1] += limbs[index] >> 26
        limbs[index] &= Self.mask
      }
      limbs[0] += (limbs[4] >> 26) * 5
      limbs[4] &= Self.mask
    }
    let isPrimeOrMore = limbs[0] >= Self.prime[0] && limbs[1...] == Self.prime[1...]
    if isPrimeOrMore { limbs = [limbs[0] - Self.prime[0], 0, 0, 0, 0] }
  }
}
