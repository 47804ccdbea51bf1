import Testing

@testable import TributaryCodec

@Suite struct PasswordTests {
  private func normalized(_ text: String) throws -> String {
    try Password.normalize(text).withBytes { String(decoding: $0, as: UTF8.self) }
  }

  @Test func differentSpellingsOfOnePasswordGiveTheSameKey() throws {
    let expected = try normalized("caf\u{e9} riviere 1")
    #expect(try normalized("cafe\u{301} riviere 1") == expected, "decomposed")
    #expect(try normalized("caf\u{e9}\u{a0}riviere\u{2003}1") == expected, "other spaces")
    #expect(try normalized("\u{ff43}\u{ff41}\u{ff46}\u{e9} riviere \u{ff11}") == expected, "fullwidth")
    #expect(Array(expected.utf8) == Array("caf\u{e9} riviere 1".utf8), "composed bytes")
    let salt = [UInt8](repeating: 5, count: 16)
    let derivation = try KeyDerivation(salt: salt)
    let keys = try ["caf\u{e9}\u{a0}riviere", "cafe\u{301} riviere"].map {
      try derivation.derive(password: Password.normalize($0), using: CountingHash())
    }
    #expect(keys[0].matches(keys[1]))
  }

  @Test func caseAndSpacesAreKept() throws {
    #expect(try normalized("  Pass  word  ") == "  Pass  word  ")
  }

  @Test func hangulAndReorderedMarksCompose() throws {
    #expect(try Array(normalized("\u{1112}\u{1161}\u{11ab}1234567").utf8) == Array("\u{d55c}1234567".utf8))
    #expect(
      try Array(normalized("a\u{301}\u{323}1234567").utf8) == Array(normalized("a\u{323}\u{301}1234567").utf8)
    )
  }

  @Test func sevenScalarsAreTooFewAndEightEnough() throws {
    expect(.password) { _ = try Password.normalize("1234567") }
    expect(.password, "eight before, seven after") { _ = try Password.normalize("e\u{301}234567") }
    _ = try Password.normalize("12345678")
    _ = try Password.normalize("\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}")
    expect(.password, "empty") { _ = try Password.normalize("") }
    expect(.password, "bytes are not scalars") { _ = try Password.normalize("🌊🌊🌊") }
  }

  @Test(arguments: ["12345678\t", "1234\u{0}5678", "12345678\u{85}", "12345678\u{7f}", "12345678\n"])
  func controlsAreRefused(text: String) {
    expect(.password) { _ = try Password.normalize(text) }
  }

  @Test(arguments: ["12345678\u{378}", "12345678\u{ffff}", "12345678\u{e0fff}"])
  func unassignedCodePointsAreRefused(text: String) {
    expect(.password) { _ = try Password.normalize(text) }
  }

  @Test(arguments: ["ff", "c3", "eda080", "f4908080", "c080"])
  func invalidUTF8IsRefused(text: String) {
    expect(.password) { _ = try Password.normalize(Array("12345678".utf8) + hex(text)) }
  }

  @Test func aFileLosesOneNewlineAndNoMore() throws {
    func read(_ text: String) throws -> [UInt8] {
      try Password.normalize(Array(text.utf8), from: .file).withBytes { Array($0) }
    }
    #expect(try read("pass word\n") == Array("pass word".utf8))
    #expect(try read("pass word\r\n") == Array("pass word".utf8))
    #expect(try read("pass word ") == Array("pass word ".utf8))
    expect(.password, "two newlines") { _ = try read("pass word\n\n") }
  }

  @Test func aHugePasswordIsRefusedBeforeItIsNormalized() throws {
    _ = try Password.normalize([UInt8](repeating: 0x61, count: 1024))
    expect(.password) { _ = try Password.normalize([UInt8](repeating: 0x61, count: 1025)) }
  }

  @Test func theVersionOfUnicodeIsKnown() {
    #expect(Password.unicodeVersion.split(separator: ".").count == 3)
  }
}
