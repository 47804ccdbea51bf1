import CSodium

@testable import TributaryCodec

/// A key file whose sealed payload is authentic under two keys (Len, Grubbs, Ristenpart: "Partitioning Oracle
/// Attacks", 2021): one block of the ciphertext is solved for, so that both keys give the same Poly1305.
struct TwoKeyFile {
  let bytes: [UInt8]

  init(sample: KeySample, other: Secret) throws {
    var file = try sample.seal()
    let nonce = Array(file[106..<130])
    let first = OneTimeKey(kek: sample.kek, nonce: nonce)
    let second = OneTimeKey(kek: other, nonce: nonce)
    let associated = Array(file[..<130])
    // The last 16 bytes of the ciphertext are the message block that is solved for.
    for attempt in 0..<UInt8.max {
      file[600] = attempt
      if let (block, tag) = Self.solve(first, second, associated, Array(file[130..<626])) {
        file.replaceSubrange(626..<642, with: block)
        file.replaceSubrange(642..<658, with: tag)
        break
      }
    }
    bytes = file
  }

  /// The block and the tag for which both keys agree, if the block fits in 16 bytes.
  private static func solve(
    _ first: OneTimeKey, _ second: OneTimeKey, _ associated: [UInt8], _ cipher: [UInt8]
  ) -> ([UInt8], [UInt8])? {
    var blocks = Poly.blocks(associated) + Poly.blocks(cipher)
    let target = blocks.count
    blocks.append(Poly.zeroBlock)
    blocks += Poly.blocks(Poly.little(UInt64(associated.count)) + Poly.little(512))
    // tag = poly(r) + s mod 2^128; a difference of zero mod 2^128 is met by one mod p for a good share of blocks.
    let power = blocks.count - target
    let difference = first.evaluate(blocks).plus(first.s).minus(second.evaluate(blocks).plus(second.s))
    let weight = second.r.power(power).minus(first.r.power(power))
    let block = difference.times(weight.inverse)
    guard block.fitsSixteenBytes else { return nil }
    blocks[target] = Poly.zeroBlock.plus(block)
    let tags = [first, second].map { $0.evaluate(blocks).addingModulo128($0.s) }
    return tags[0] == tags[1] ? (block.sixteenBytes, tags[0]) : nil
  }
}

/// The one-time key of XChaCha20-Poly1305-IETF: r and s.
private struct OneTimeKey {
  let r: Poly
  let s: Poly

  init(kek: Secret, nonce: [UInt8]) {
    let key = Hash.keyed(kek, .seal).bytes
    var subkey = [UInt8](repeating: 0, count: 32)
    crypto_core_hchacha20(&subkey, nonce, key, nil)
    var block = [UInt8](repeating: 0, count: 32)
    crypto_stream_chacha20_ietf(&block, 32, [0, 0, 0, 0] + nonce[16...], subkey)
    for index in [3, 7, 11, 15] { block[index] &= 15 }
    for index in [4, 8, 12] { block[index] &= 252 }
    r = Poly(little: Array(block[..<16]))
    s = Poly(little: Array(block[16...]))
  }

  func evaluate(_ blocks: [Poly]) -> Poly {
    blocks.reduce(Poly(limbs: [0])) { $0.plus($1).times(r) }
  }
}
