import Testing

@testable import TributaryCodec

@Suite struct PaddingTests {
  @Test(arguments: [(1, 1), (8, 8), (9, 10), (400, 400), (401, 416), (416, 416), (417, 432), (65537, 67584)])
  func padmeRoundsAsPublished(length: Int, padded: Int) {
    #expect(Padding.padme(length) == padded)
  }

  @Test func smallFilesAllHaveFourHundredBytes() {
    for length in [150, 399, 400] { #expect(Padding.paddedLength(of: length, kind: .log) >= 400) }
    #expect(Padding.paddedLength(of: 150, kind: .log) == 400)
    #expect(Padding.paddedLength(of: 150, kind: .fence) == 400)
  }

  @Test func headsHaveMultiplesOfAKibibyte() {
    #expect(Padding.paddedLength(of: 1, kind: .head) == 1024)
    #expect(Padding.paddedLength(of: 1024, kind: .head) == 1024)
    #expect(Padding.paddedLength(of: 1025, kind: .head) == 2048)
  }

  @Test func paddingCostsAtMostOneSixteenth() {
    for length in stride(from: 400, to: 512 << 10, by: 37) {
      let padded = Padding.paddedLength(of: length, kind: .snapshot)
      #expect(padded >= length)
      #expect(Double(padded - length) <= Double(length) * 0.063)
      #expect(padded <= 512 << 10)
    }
  }

  @Test func plaintextFillsTheFileItIsMeantFor() {
    for sealed in stride(from: 400, to: 512 << 10, by: 13) {
      let plain = Container.plainLength(sealed: sealed)
      #expect(Container.sealedLength(plain: plain) >= sealed)
      #expect(Container.sealedLength(plain: plain - 1) < sealed)
    }
  }
}
