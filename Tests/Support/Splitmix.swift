import Synchronization
import TributaryCodec

/// A small generator whose runs can be repeated from their seed.
package struct Splitmix: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }

  package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  package mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  /// Letters that do not compress below six bits.
  package mutating func letters(_ count: Int) -> [UInt8] {
    let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_".utf8)
    return (0..<count).map { _ in alphabet[below(64)] }
  }
}

/// The engine's source of random bytes, repeatable from its seed.
package final class SeededSource: RandomSource {
  private let generator: Mutex<Splitmix>

  package init(seed: UInt64) { generator = Mutex(Splitmix(seed: seed)) }

  package func next() -> UInt64 { generator.withLock { $0.next() } }

  package func bytes(_ count: Int) -> [UInt8] { generator.withLock { $0.bytes(count) } }
}
