import TestSupport
import Testing
import TributaryModel

@testable import TributaryCodec

@Suite struct ContainerAttackTests {
  @Test func everyBitFlippedInASmallFileIsRefused() throws {
    let sample = try Sample()
    let file = try sample.seal(Array("a body".utf8))
    for index in file.indices {
      var changed = file
      changed[index] ^= 1 << UInt8(index & 7)
      #expect(throws: CodecError.self, "byte \(index)") { try sample.open(changed) }
    }
  }

  @Test(arguments: [
    (6, "commitment"), (20, "commitment"), (25, "commitment"), (39, "commitment"), (43, "commitment"),
    (60, "commitment"), (80, "commitment"), (111, "commitment"), (112, "authentication"),
    (135, "authentication"),
    (136, "authentication"), (60_000, "authentication"), (65_700, "authentication"),
  ])
  func aFlippedBitIsBlamedOnItsRegion(index: Int, code: String) throws {
    let sample = try Sample()
    var file = try sample.seal(SeededSource(seed: 9).bytes(100_000))
    file[index] ^= 0x10
    expect(CodecError.Code(code)) { _ = try sample.open(file) }
  }

  @Test func aFileCutAnywhereIsRefused() throws {
    let sample = try Sample()
    let file = try sample.seal(Array("a body".utf8))
    for length in file.indices { expect(.truncated) { _ = try sample.open(Array(file[..<length])) } }
    let long = try sample.seal(SeededSource(seed: 9).bytes(150_000))
    for length in [136 + 65_553, 136 + 2 * 65_553, long.count - 1] {
      expect(.truncated) { _ = try sample.open(Array(long[..<length])) }
    }
  }

  @Test func aFileExtendedByAnythingIsRefused() throws {
    let sample = try Sample()
    let file = try sample.seal(Array("a body".utf8))
    for tail in [[0], [UInt8](repeating: 0, count: 17), file] {
      expect(.trailingBytes) { _ = try sample.open(file + tail) }
    }
  }

  @Test func theLengthInTheHeaderIsBoundToTheKey() throws {
    let sample = try Sample()
    var file = try sample.seal(Array("a body".utf8))
    file.append(0)
    file[47] &+= 1
    expect(.commitment) { _ = try sample.open(file) }
  }

  @Test func aStreamWithoutFinalIsRefused() throws {
    let sample = try Sample()
    let frame = try Zstd.compress([1, 2, 3])
    let plain = [0, 0, 0, UInt8(frame.count)] + frame
    expect(.truncated, "MESSAGE at the end") { _ = try sample.open(try sample.seal(chunks: [(plain, 0)])) }
    for tag: UInt8 in [1, 2, 7] {
      expect(.malformed, "tag \(tag)") { _ = try sample.open(try sample.seal(chunks: [(plain, tag)])) }
    }
  }

  @Test func chunksAfterFinalAreRefused() throws {
    let sample = try Sample()
    let full = [UInt8](repeating: 0, count: 65_536)
    let frame = try Zstd.compress([1, 2, 3])
    let first = [0, 0, 0, UInt8(frame.count)] + frame + full.dropFirst(4 + frame.count)
    #expect(try sample.open(try sample.seal(chunks: [(first, 0), ([0], 3)])) == [1, 2, 3])
    expect(.trailingBytes) { _ = try sample.open(try sample.seal(chunks: [(first, 3), ([0], 3)])) }
    expect(.trailingBytes) { _ = try sample.open(try sample.seal(chunks: [(first, 3), ([0], 0)])) }
  }

  @Test func aShortChunkBeforeTheLastOrAnEmptyLastIsRefused() throws {
    let sample = try Sample()
    let full = [UInt8](repeating: 0, count: 65_536)
    #expect(throws: CodecError.self) { try sample.open(try sample.seal(chunks: [([0, 0], 0), (full, 3)])) }
    expect(.malformed) { _ = try sample.open(try sample.seal(chunks: [(full, 0), ([], 3)])) }
    expect(.truncated, "nothing at all") { _ = try sample.open(try sample.seal(chunks: [([], 3)])) }
  }

  @Test func chunksOutOfOrderAreRefused() throws {
    let sample = try Sample()
    let file = try sample.seal(SeededSource(seed: 9).bytes(200_000))
    let first = file[136..<136 + 65_553]
    let second = file[136 + 65_553..<136 + 2 * 65_553]
    let swapped = file[..<136] + second + first + file[(136 + 2 * 65_553)...]
    expect(.authentication) { _ = try sample.open(Array(swapped)) }
  }

  @Test func anotherKeyIsNotTheOne() throws {
    let sample = try Sample()
    let file = try sample.seal([1])
    let other = try Secret(random: SeededSource(seed: 77), count: 32)
    expect(.commitment) { _ = try Container.open(file, dataKey: other) }
  }

  @Test func aFileRenamedIntoAnotherSeqOrDeviceDoesNotOpen() throws {
    let sample = try Sample()
    let file = try sample.seal([1])
    var header = try Container.peekHeader(file)
    header.seq += 1
    expect(.commitment) { _ = try sample.open(try header.encode() + file[80...]) }
    header.seq -= 1
    header.device = deviceB
    expect(.commitment) { _ = try sample.open(try header.encode() + file[80...]) }
  }

  @Test func paddingThatIsNotZeroAndLengthsThatLieAreRefused() throws {
    let sample = try Sample()
    let frame = try Zstd.compress([1, 2, 3])
    let length = UInt8(frame.count)
    expect(.trailingBytes) {
      _ = try sample.open(try sample.seal(plain: [0, 0, 0, length] + frame + [0, 1]))
    }
    expect(.truncated) { _ = try sample.open(try sample.seal(plain: [0, 0, 0, length + 1] + frame)) }
    expect(.truncated) { _ = try sample.open(try sample.seal(plain: [0xff, 0xff, 0xff, 0xff] + frame)) }
    expect(.truncated) { _ = try sample.open(try sample.seal(plain: [0, 0])) }
    expect(.trailingBytes, "a second frame") {
      _ = try sample.open(try sample.seal(plain: [0, 0, 0, 2 * length] + frame + frame))
    }
  }

  @Test func aSealedBombIsRefused() throws {
    let sample = try Sample()
    let bomb = try Zstd.compress([UInt8](repeating: 0, count: 32 << 20))
    let plain = withUnsafeBytes(of: UInt32(bomb.count).bigEndian) { Array($0) } + bomb
    expect(.tooLarge) { _ = try sample.open(try sample.seal(plain: plain)) }
    expect(.tooLarge, "the caller's own limit") {
      _ = try Container.open(try sample.seal([1, 2, 3]), dataKey: sample.key, limit: 2)
    }
  }

  @Test func aFileAboveItsKindsLimitIsRefusedByItsLength() throws {
    var header = try Sample(kind: .fence).header
    header.bodyLength = 64 << 10
    let file = try header.encode() + [UInt8](repeating: 0, count: 64 << 10)
    expect(.tooLarge) { _ = try Container.peekHeader(file) }
  }

  @Test func theFileHashSeesEveryByte() throws {
    let file = try Sample().seal([1])
    var other = file
    other[file.count - 1] ^= 1
    #expect(Container.fileHash(file) != Container.fileHash(other))
    #expect(Container.fileHash(file) == Hash.digest(file))
  }
}
