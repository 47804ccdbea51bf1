/// The seed under which a body failed, to run it again.
package struct FailedSeed: Error, CustomStringConvertible {
  package let seed: UInt64
  package let cause: (any Error)?

  package var description: String { "seed \(seed)" + (cause.map { ": \($0)" } ?? "") }
}

/// Runs a body under many seeds until it says no or throws.
///
/// - Throws: ``FailedSeed``.
package func withSeeds(_ count: Int, _ body: (inout Splitmix) throws -> Bool) throws {
  let start = UInt64.random(in: 0..<1 << 32)
  for seed in start..<start + UInt64(count) {
    var random = Splitmix(seed: seed)
    let isGood: Bool
    do { isGood = try body(&random) } catch { throw FailedSeed(seed: seed, cause: error) }
    guard isGood else { throw FailedSeed(seed: seed, cause: nil) }
  }
}
