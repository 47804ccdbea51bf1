import CSodium
import TestSupport
import Testing
import TributaryModel

@testable import TributaryCodec

/// A key file to seal, shared by the suites on key files.
struct KeySample {
  let header: KeyFileHeader
  let payload: KeyPayload
  let kek: Secret
  let recoveryKey: RecoveryKey

  init(earlier: Int = 2, recovery: Bool = true) throws {
    let random = SeededSource(seed: 10)
    header = KeyFileHeader(
      device: deviceA, installNonce: 0x2122_2324_2526_2728, epoch: 9, epochID: try EpochID(random: random),
      derivation: try KeyDerivation(random: random))
    recoveryKey = try RecoveryKey(random: random)
    kek = try header.derivation.derive(
      password: try Password.normalize("correct horse"), using: CountingHash())
    payload = KeyPayload(
      dataKey: try Secret(random: random, count: 32),
      earlierKeys: try (0..<earlier).map {
        .init(epoch: UInt32($0 + 1), dataKey: try Secret(random: random, count: 32))
      },
      recovery: recovery ? try .init(key: recoveryKey, random: random) : nil)
  }

  func seal(seed: UInt64 = 11) throws -> [UInt8] {
    try KeyFile.seal(header: header, payload: payload, kek: kek, random: SeededSource(seed: seed))
  }
}

@Suite struct KeyFileTests {
  private func expectEqual(_ left: KeyPayload, _ right: KeyPayload) {
    #expect(left.dataKey.matches(right.dataKey))
    #expect(left.earlierKeys.map(\.epoch) == right.earlierKeys.map(\.epoch))
    for (a, b) in zip(left.earlierKeys, right.earlierKeys) { #expect(a.dataKey.matches(b.dataKey)) }
    #expect(left.recovery?.salt == right.recovery?.salt)
    if let a = left.recovery?.kek, let b = right.recovery?.kek { #expect(a.matches(b)) }
  }

  @Test(arguments: [(0, false, 658), (2, true, 1258), (8, true, 1258), (8, false, 658)])
  func bothSlotsReadBack(earlier: Int, recovery: Bool, size: Int) throws {
    let sample = try KeySample(earlier: earlier, recovery: recovery)
    let bytes = try sample.seal()
    #expect(bytes.count == size)
    let file = try KeyFile(parsing: bytes)
    #expect(file.header == sample.header)
    #expect(file.hash == Hash.digest(bytes))
    let kek = try file.deriveKEK(password: try Password.normalize("correct horse"), using: CountingHash())
    expectEqual(try file.open(kek: kek, directory: deviceA), sample.payload)
    if recovery {
      expectEqual(try file.open(recoveryKey: sample.recoveryKey, directory: deviceA), sample.payload)
    } else {
      expect(.wrongKey) { _ = try file.open(recoveryKey: sample.recoveryKey, directory: deviceA) }
    }
  }

  @Test func theLayoutIsTheDocumentedOne() throws {
    let sample = try KeySample()
    let bytes = try sample.seal()
    let start =
      hex("5452424b 01 01 0102030405060708090a0b0c0d0e0f10 2122232425262728 00000009")
      + sample.header.epochID.bytes + hex("00000003 00010000") + sample.header.derivation.salt
    #expect(Array(bytes[..<74]) == start)
    #expect(Array(bytes[74..<106]) == Hash.keyed(sample.kek, .commit).bytes)
    let key = Hash.keyed(sample.kek, .seal).bytes
    var plain = [UInt8](repeating: 0, count: 512)
    let result = crypto_aead_xchacha20poly1305_ietf_decrypt(
      &plain, nil, nil, Array(bytes[130..<658]), 528, Array(bytes[..<130]), 130, Array(bytes[106..<130]), key)
    #expect(result == 0)
    #expect(sample.payload.dataKey.withBytes { Array($0) } == Array(plain[..<32]))
    #expect(plain[32] == 2)
    #expect(Array(plain[33..<37]) == [0, 0, 0, 1])
    #expect(plain[105] == 1)
    #expect(plain[154...].allSatisfy { $0 == 0 })
  }

  @Test func sealingRepeatsExactlyUnderOneSeed() throws {
    let sample = try KeySample()
    #expect(try sample.seal() == sample.seal())
    #expect(try sample.seal() != sample.seal(seed: 12))
  }

  @Test func aFileOutsideItsBoundsNeverRunsArgon2() throws {
    let bytes = try KeySample().seal()
    let hash = CountingHash()
    func attach(_ bytes: [UInt8]) throws {
      let file = try KeyFile(parsing: bytes)
      _ = try file.deriveKEK(password: try Password.normalize("correct horse"), using: hash)
    }
    func attach(_ index: Int, _ replacement: [UInt8]) throws {
      var changed = bytes
      changed.replaceSubrange(index..<index + replacement.count, with: replacement)
      try attach(changed)
    }
    expect(.parameters, "0 passes") { try attach(50, [0, 0, 0, 0]) }
    expect(.parameters, "1 pass") { try attach(50, [0, 0, 0, 1]) }
    expect(.parameters, "11 passes") { try attach(50, [0, 0, 0, 11]) }
    expect(.parameters, "2^32-1 passes") { try attach(50, [255, 255, 255, 255]) }
    expect(.parameters, "8 KiB") { try attach(54, [0, 0, 0, 8]) }
    expect(.parameters, "256 MiB and 1 KiB") { try attach(54, [0, 4, 0, 1]) }
    expect(.parameters, "4 TiB") { try attach(54, [255, 255, 255, 255]) }
    expect(.badMagic) { try attach(0, [0]) }
    expect(.unsupportedVersion) { try attach(4, [2]) }
    expect(.malformed, "flags") { try attach(5, [2]) }
    expect(.trailingBytes, "the flag taken away") { try attach(5, [0]) }
    expect(.tooLarge) { try attach(bytes + [UInt8](repeating: 0, count: 2049 - bytes.count)) }
    expect(.trailingBytes) { try attach(bytes + [0]) }
    for length in bytes.indices { expect(.truncated) { try attach(Array(bytes[..<length])) } }
    #expect(hash.count == 0)
    try attach(bytes)
    #expect(hash.count == 1)
  }

  @Test func epochIDsOrderAsTheirBytes() throws {
    let low = try #require(EpochID(bytes: [UInt8](repeating: 0, count: 15) + [255]))
    let high = try #require(EpochID(bytes: [1] + [UInt8](repeating: 0, count: 15)))
    #expect(low < high)
    #expect(EpochID(bytes: low.bytes) == low)
    #expect(EpochID(bytes: [1]) == nil)
  }

  @Test func whatWouldNotReadBackIsNotSealed() throws {
    expect(.tooLarge, "nine earlier keys") { _ = try KeySample(earlier: 9).seal() }
    let sample = try KeySample(earlier: 0)
    var payload = sample.payload
    payload.earlierKeys = [.init(epoch: 10, dataKey: sample.kek)]
    expect(.malformed, "an epoch after the file's") {
      _ = try KeyFile.seal(header: sample.header, payload: payload, kek: sample.kek, random: SystemRandom())
    }
    payload.earlierKeys = []
    payload.dataKey = try Secret([1])
    expect(.parameters, "a short key") {
      _ = try KeyFile.seal(header: sample.header, payload: payload, kek: sample.kek, random: SystemRandom())
    }
  }
}
