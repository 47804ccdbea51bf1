import Testing

/// A generator that repeats from its seed (SplitMix64).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }

  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}

/// Runs a body under many seeds and names the first that fails.
func withSeeds(_ count: Int, _ body: (inout Seeded) throws -> Bool) rethrows {
  let start = UInt64.random(in: 0..<1 << 32)
  print("seeds from \(start)")
  for seed in start..<start + UInt64(count) {
    var random = Seeded(seed: seed)
    guard try body(&random) else {
      Issue.record("seed \(seed)")
      return
    }
  }
}
