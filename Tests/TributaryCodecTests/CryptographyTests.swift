import Testing

@testable import TributaryCodec

@Suite struct CryptographyTests {
  /// Both vectors come from Python's hashlib.
  @Test func thePlainHashIsBLAKE2b256() {
    #expect(
      Hash.digest([]).description == "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8")
    #expect(
      Hash.digest(Array("abc".utf8)).description
        == "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319")
  }

  @Test func theKeyedHashFramesItsLabel() throws {
    let key = try Secret(Array(0..<32))
    #expect(
      Hash.keyed(key, .file, Array("abc".utf8)).description
        == "93c2c59a9cf528c1ecad0ab0992621906f124fba3042434104566258a6229f64")
    #expect(
      Hash.keyed(key, .commit).description
        == "993c9bbfc3c5a5ab5839c34d55f7161df1d2a3992b7ab705ab3b8132bae2e618")
    let derived = try Hash.deriveKey(key, .commit)
    #expect(derived.withBytes { Array($0) } == Hash.keyed(key, .commit).bytes)
    #expect(Hash.keyed(key, Hash.Label("ab"), [0x63]) != Hash.keyed(key, Hash.Label("abc")))
  }

  @Test func digestsKeepTheirBytesAndCompare() {
    let bytes: [UInt8] = Array(1...32)
    let digest = Digest(bytes: bytes)
    #expect(digest?.bytes == bytes)
    #expect(Digest(bytes: bytes.dropLast()) == nil)
    for index in 0..<32 {
      var other = bytes
      other[index] ^= 1
      #expect(Digest(bytes: other)?.matches(digest ?? .zero) == false)
    }
    #expect(digest?.matches(digest ?? .zero) == true)
  }

  @Test func aSecretHoldsItsBytesAndNeverPrintsThem() throws {
    let secret = try Secret([1, 2, 3])
    #expect(secret.withBytes { Array($0) } == [1, 2, 3])
    #expect("\(secret)" == "Secret of 3 bytes")
    #expect(!String(reflecting: secret).contains("1"))
    var dumped = ""
    dump(secret, to: &dumped)
    #expect(!dumped.contains("address"))
    #expect(secret.matches(try Secret([1, 2, 3])))
    #expect(!secret.matches(try Secret([1, 2, 4])))
    #expect(!secret.matches(try Secret([1, 2])))
  }

  @Test func aSecretThatCannotBeFilledThrows() {
    struct Refusal: Error {}
    #expect(throws: Refusal.self) { try Secret(count: 8) { _ in throw Refusal() } }
  }

  @Test func randomSourcesGiveWhatIsAsked() {
    let random = SystemRandom()
    #expect(random.bytes(0).isEmpty)
    #expect(random.bytes(32).count == 32)
    #expect(random.bytes(32) != random.bytes(32))
  }

  /// From the reference implementation's command line: `argon2 saltsaltsaltsalt -id -t T -k K -p 1 -l 32 -r`.
  @Test(arguments: [
    (3, 65536, "332541e4192860aa42935c10c48d64793839c579a782b7c5baeff2d7c197d1f4"),
    (2, 131072, "2723b461a8333cc3655a4a04a0c8abef09f8347b445d84bdd675cfec63903943"),
  ])
  func argon2idMatchesTheReference(passes: Int, kibibytes: Int, expected: String) throws {
    let derivation = try KeyDerivation(
      passes: passes, kibibytes: kibibytes, salt: Array("saltsaltsaltsalt".utf8))
    let key = try derivation.derive(password: try Secret(Array("correct horse".utf8)), using: Argon2id())
    #expect(key.withBytes { Array($0) } == hex(expected))
  }

  @Test(arguments: [
    (1, 65536, 16), (11, 65536, 16), (3, 65535, 16), (3, 262145, 16), (3, 65536, 15), (-1, 0, 16),
  ])
  func derivationsOutsideTheirBoundsAreRefused(passes: Int, kibibytes: Int, saltSize: Int) throws {
    let salt = [UInt8](repeating: 1, count: saltSize)
    expect(.parameters) { _ = try KeyDerivation(passes: passes, kibibytes: kibibytes, salt: salt) }
    let password = try Secret([1])
    expect(.parameters) {
      _ = try Argon2id().derive(password: password, salt: salt, passes: passes, kibibytes: kibibytes)
    }
  }
}
