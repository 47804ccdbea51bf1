import Synchronization
import Testing
import TributaryCodec
import TributaryModel
import TributaryWire

/// A generator that repeats from its seed (SplitMix64), as numbers and as a random source.
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

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  /// Letters that do not compress below six bits.
  mutating func letters(_ count: Int) -> [UInt8] {
    let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_".utf8)
    return (0..<count).map { _ in alphabet[below(64)] }
  }
}

final class SeededSource: RandomSource {
  private let generator: Mutex<Seeded>

  init(seed: UInt64) { generator = Mutex(Seeded(seed: seed)) }

  func bytes(_ count: Int) -> [UInt8] { generator.withLock { $0.bytes(count) } }
}

/// Runs a body under many seeds and names the first that fails.
func withSeeds(_ count: Int, _ body: (inout Seeded) throws -> Bool) throws {
  let start = UInt64.random(in: 0..<1 << 32)
  print("seeds from \(start)")
  for seed in start..<start + UInt64(count) {
    var random = Seeded(seed: seed)
    do {
      if try body(&random) { continue }
      Issue.record("seed \(seed)")
    } catch {
      Issue.record("seed \(seed): \(error)")
    }
    return
  }
}

let ann = DeviceID(high: 0x0102_0304_0506_0708, low: 0x090a_0b0c_0d0e_0f10)
let bob = DeviceID(high: 7, low: 9)
let eve = DeviceID(high: .max, low: 1)

func at(_ milliseconds: Int64, _ counter: UInt16 = 0, _ device: DeviceID = ann) -> Stamp {
  Stamp(Moment(milliseconds: milliseconds, counter: counter), device)
}

func id(_ text: String) -> RecordID { RecordID([.text(text)]) ?? RecordID(encoded: [0x30]) }

/// Expects `body` to fail with a wire error of this code.
func expect(
  _ code: WireError.Code, at location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
  let error = #expect(throws: WireError.self, sourceLocation: location, performing: body)
  #expect(error?.code == code, "\(error?.message ?? "")", sourceLocation: location)
}

/// Whether the body fails with one of our errors, and not with anything else.
func failsTyped(_ body: () throws -> Void) -> Bool {
  do {
    try body()
    return false
  } catch {
    return error is WireError || error is CodecError
  }
}

func hexText(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

func decoded(_ blocks: [EncodedBlock], format: UInt32 = 1) throws -> RunContent {
  try RunReader.reread(blocks.map(\.raw), format: format)
}

func encoded(_ entries: [Entry]) throws -> [EncodedBlock] {
  try BlockEncoder.encode(entries.map { WireEntry($0) })
}
