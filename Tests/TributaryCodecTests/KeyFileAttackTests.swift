import CSodium
import TestSupport
import Testing
import TributaryModel

@testable import TributaryCodec

@Suite struct KeyFileAttackTests {
  @Test func anotherPasswordIsWrongNotDamaged() throws {
    let file = try KeyFile(parsing: try KeySample().seal())
    let other = try file.deriveKEK(password: try Password.normalize("battery staple"), using: CountingHash())
    #expect(!file.isCommitted(to: other))
    expect(.wrongKey) { _ = try file.open(kek: other, directory: deviceA) }
    let stranger = try RecoveryKey(random: SeededSource(seed: 99))
    expect(.wrongKey) { _ = try file.open(recoveryKey: stranger, directory: deviceA) }
  }

  @Test func everyBitFlippedIsRefusedByTheSlotThatCoversIt() throws {
    let sample = try KeySample()
    let bytes = try sample.seal()
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 1 << UInt8(index & 7)
      guard let file = try? KeyFile(parsing: changed) else { continue }
      #expect(throws: CodecError.self, "recovery, byte \(index)") {
        try file.open(recoveryKey: sample.recoveryKey, directory: deviceA)
      }
      // The password slot ends before the recovery slot, but for the salt that its payload names.
      guard index < 674 else { continue }
      #expect(throws: CodecError.self, "password, byte \(index)") {
        try file.open(kek: sample.kek, directory: deviceA)
      }
    }
  }

  @Test func aDamagedFileIsToldFromAWrongPassword() throws {
    let sample = try KeySample()
    for index in [10, 25, 31, 40, 106, 130, 657] {
      var bytes = try sample.seal()
      bytes[index] ^= 1
      expect(.authentication, "byte \(index)") {
        _ = try KeyFile(parsing: bytes).open(kek: sample.kek, directory: deviceA)
      }
    }
  }

  @Test func aFileInAnotherDevicesDirectoryIsRefused() throws {
    let sample = try KeySample()
    let file = try KeyFile(parsing: try sample.seal())
    expect(.wrongDevice) { _ = try file.open(kek: sample.kek, directory: deviceB) }
    expect(.wrongDevice) { _ = try file.open(recoveryKey: sample.recoveryKey, directory: deviceB) }
  }

  @Test func theRecoverySlotOfAnotherFileDoesNotFit() throws {
    let sample = try KeySample()
    let (first, second) = (try sample.seal(seed: 1), try sample.seal(seed: 2))
    let mixed = try KeyFile(parsing: Array(first[..<658] + second[658...]))
    expect(.authentication) { _ = try mixed.open(recoveryKey: sample.recoveryKey, directory: deviceA) }
  }

  /// Poly1305 commits to no key: a ciphertext can be made whose authentication code holds under two. The file
  /// below is such a one, and only the key that it is committed to opens it.
  @Test func aFileMadeForTwoKeysOpensOnlyUnderTheCommittedOne() throws {
    let sample = try KeySample(earlier: 0, recovery: false)
    let other = try Secret(random: SeededSource(seed: 55), count: 32)
    let bytes = try TwoKeyFile(sample: sample, other: other).bytes
    for kek in [sample.kek, other] {
      let key = Hash.keyed(kek, .seal).bytes
      var plain = [UInt8](repeating: 0, count: 512)
      let result = crypto_aead_xchacha20poly1305_ietf_decrypt(
        &plain, nil, nil, Array(bytes[130..<658]), 528, Array(bytes[..<130]), 130, Array(bytes[106..<130]),
        key)
      #expect(result == 0, "the attack itself must work, or this test shows nothing")
    }
    let file = try KeyFile(parsing: bytes)
    #expect(file.isCommitted(to: sample.kek))
    expect(.wrongKey) { _ = try file.open(kek: other, directory: deviceA) }
  }
}
