import TestSupport
import Testing

@testable import TributaryCodec

@Suite struct RecoveryKeyTests {
  /// Sixteen bytes, 0 to 15; the text was made by another implementation.
  private let text = "000G4-0R40M-30E20-9185G-R38E1-Z5BS4"

  private func bytes(_ key: RecoveryKey) -> [UInt8] { key.secret.withBytes { Array($0) } }

  @Test func theTextIsTheFrozenOne() throws {
    let key = try RecoveryKey(parsing: text)
    #expect(bytes(key) == Array(0..<16))
    #expect(key.text == text)
  }

  @Test func aNewKeyReadsBack() throws {
    for seed in 0..<50 {
      let key = try RecoveryKey(random: SeededSource(seed: UInt64(seed)))
      #expect(bytes(try RecoveryKey(parsing: key.text)) == bytes(key))
    }
  }

  @Test(arguments: [
    "000g4-0r40m-30e20-9185g-r38e1-z5bs4", "OoOG4OR4OM3OE2O9I85GR38ELZ5BS4",
    " 000G4 0R40M 30E20\n9l85G R38Ei Z5BS4 ", "0-0-0-G-4-0R40M30E209185GR38E1Z5BS4---",
  ])
  func handwritingIsForgiven(text: String) throws {
    #expect(bytes(try RecoveryKey(parsing: text)) == Array(0..<16))
  }

  @Test func everySingleTypingErrorIsSeen() {
    let characters = Array("000G40R40M30E209185GR38E1Z5BS4")
    for index in characters.indices {
      for wrong in "0123456789ABCDEFGHJKMNPQRSTVWXYZ" where wrong != characters[index] {
        var text = characters
        text[index] = wrong
        expect(.recoveryKey, String(text)) { _ = try RecoveryKey(parsing: String(text)) }
      }
    }
  }

  @Test func swappedMissingAndForeignCharactersAreSeen() {
    expect(.recoveryKey, "swapped") { _ = try RecoveryKey(parsing: "00G04-0R40M-30E20-9185G-R38E1-Z5BS4") }
    expect(.recoveryKey, "missing") { _ = try RecoveryKey(parsing: String(text.dropLast())) }
    expect(.recoveryKey, "extra") { _ = try RecoveryKey(parsing: text + "0") }
    expect(.recoveryKey, "U") { _ = try RecoveryKey(parsing: "U" + text.dropFirst()) }
    expect(.recoveryKey, "empty") { _ = try RecoveryKey(parsing: "") }
    expect(.recoveryKey, "not ASCII") { _ = try RecoveryKey(parsing: "\u{ff10}" + text.dropFirst()) }
  }
}
