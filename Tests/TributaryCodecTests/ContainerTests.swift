import CSodium
import TestSupport
import Testing
import TributaryModel

@testable import TributaryCodec

/// Files to seal, shared by the suites on containers.
struct Sample {
  let key: Secret
  let header: ContainerHeader

  init(kind: ContainerKind = .log) throws {
    key = try Secret(random: SeededSource(seed: 1), count: 32)
    header = ContainerHeader(
      kind: kind, part: 3, device: deviceA, installNonce: 0x1112_1314_1516_1718, seq: 41, epoch: 2,
      previousHash: Hash.digest([7]))
  }

  func seal(_ body: [UInt8], seed: UInt64 = 2) throws -> [UInt8] {
    try Container.seal(header: header, plaintext: body, dataKey: key, random: SeededSource(seed: seed))
  }

  /// Seals a plaintext as it is, with neither frame nor padding made for it.
  func seal(plain: [UInt8]) throws -> [UInt8] {
    try Container.seal(
      plain: plain, header: header, length: Container.sealedLength(plain: plain.count), dataKey: key,
      random: SeededSource(seed: 2))
  }

  /// Seals chunks with tags of the caller's choice; libsodium itself does the work.
  func seal(chunks: [(plain: [UInt8], tag: UInt8)]) throws -> [UInt8] {
    var header = header
    let size = chunks.reduce(0) { $0 + $1.plain.count + 17 }
    header.bodyLength = UInt32(56 + size)
    var file = try header.encode()
    let fileKey = Hash.keyed(key, .file, file).bytes
    file += Hash.keyed(try Secret(fileKey), .commit).bytes
    var state = crypto_secretstream_xchacha20poly1305_state()
    var streamHeader = [UInt8](repeating: 0, count: 24)
    crypto_secretstream_xchacha20poly1305_init_push(&state, &streamHeader, fileKey)
    file += streamHeader
    let prefix = Hash.digest(file).bytes
    for (index, chunk) in chunks.enumerated() {
      var sealed = [UInt8](repeating: 0, count: chunk.plain.count + 17)
      let associated = prefix + [0, 0, 0, UInt8(index)]
      crypto_secretstream_xchacha20poly1305_push(
        &state, &sealed, nil, chunk.plain, UInt64(chunk.plain.count), associated, 36, chunk.tag)
      file += sealed
    }
    return file
  }

  func open(_ file: [UInt8]) throws -> [UInt8] { try Container.open(file, dataKey: key).body }
}

@Suite struct ContainerTests {
  @Test func theHeaderHasEightyBytesWhereTheFormatSays() throws {
    var header = try Sample(kind: .snapshot).header
    header.bodyLength = 0xa1a2_a3a4
    let bytes = try header.encode()
    #expect(bytes.count == 80)
    let expected =
      hex(
        "545242 01 03 00 0003 0102030405060708090a0b0c0d0e0f10 1112131415161718 0000000000000029 00000002 a1a2a3a4"
      )
      + Hash.digest([7]).bytes
    #expect(bytes == expected)
    #expect(try ContainerHeader.decode(bytes) == header)
  }

  @Test func aHeaderOfAnotherMagicVersionKindFlagsOrSeqIsRefused() throws {
    let bytes = try Sample().header.encode()
    func decode(_ index: Int, _ value: UInt8) throws {
      var changed = bytes
      changed[index] = value
      _ = try ContainerHeader.decode(changed)
    }
    expect(.badMagic) { try decode(0, 0) }
    expect(.unsupportedVersion) { try decode(3, 2) }
    expect(.malformed) { try decode(4, 0) }
    expect(.malformed) { try decode(4, 5) }
    expect(.malformed) { try decode(5, 1) }
    expect(.tooLarge, "seq of 2^53") { try decode(33, 0x20) }
    expect(.truncated) { _ = try ContainerHeader.decode(Array(bytes.dropLast())) }
    expect(.tooLarge) {
      var header = try Sample().header
      header.seq = 1 << 53
      _ = try header.encode()
    }
  }

  @Test(arguments: ContainerKind.allCases) func everyKindReadsBack(kind: ContainerKind) throws {
    let sample = try Sample(kind: kind)
    let body = Array("the body".utf8)
    let file = try sample.seal(body)
    let (header, opened) = try Container.open(file, dataKey: sample.key)
    #expect(opened == body)
    var expected = sample.header
    expected.bodyLength = UInt32(file.count - 80)
    #expect(header == expected)
    #expect(try Container.peekHeader(file) == expected)
  }

  @Test(arguments: [0, 1, 200, 65_000, 65_400, 65_500, 131_000, 300_000])
  func anyLengthReadsBackAndIsPadded(length: Int) throws {
    let sample = try Sample()
    let body = SeededSource(seed: 9).bytes(length)
    let file = try sample.seal(body)
    #expect(try sample.open(file) == body)
    #expect(file.count >= 400)
    let padded = Padding.paddedLength(of: file.count - 17, kind: .log)
    #expect(file.count == Padding.paddedLength(of: file.count, kind: .log) || file.count - padded <= 17)
  }

  @Test func bodiesOfOneSizeClassGiveFilesOfOneLength() throws {
    let sample = try Sample()
    let sizes = try Set((0..<200).map { try sample.seal(SeededSource(seed: 4).bytes($0)).count })
    #expect(sizes == [400])
    #expect(try Sample(kind: .head).seal([1, 2, 3]).count == 1024)
  }

  @Test func sealingRepeatsExactlyUnderOneSeed() throws {
    let sample = try Sample()
    let body = SeededSource(seed: 9).bytes(100_000)
    #expect(try sample.seal(body) == sample.seal(body))
    #expect(try sample.seal(body) != sample.seal(body, seed: 3))
  }

  @Test func libsodiumOpensWhatIsSealedHere() throws {
    let sample = try Sample()
    let body = SeededSource(seed: 9).bytes(70_000)
    let file = try sample.seal(body)
    let fileKey = Hash.keyed(sample.key, .file, Array(file[..<80])).bytes
    var state = crypto_secretstream_xchacha20poly1305_state()
    crypto_secretstream_xchacha20poly1305_init_pull(&state, Array(file[112..<136]), fileKey)
    var plain: [UInt8] = []
    var tags: [UInt8] = []
    var start = 136
    while start < file.count {
      let chunk = Array(file[start..<min(start + 65_553, file.count)])
      var output = [UInt8](repeating: 0, count: chunk.count - 17)
      let associated = Hash.digest(Array(file[..<136])).bytes + [0, 0, 0, UInt8(tags.count)]
      var tag: UInt8 = 0xff
      let result = crypto_secretstream_xchacha20poly1305_pull(
        &state, &output, nil, &tag, chunk, UInt64(chunk.count), associated, 36)
      #expect(result == 0)
      plain += output
      tags.append(tag)
      start += chunk.count
    }
    #expect(tags == [0, 3])
    let length = plain[..<4].reduce(0) { $0 << 8 | Int($1) }
    #expect(try Zstd.decompress(Array(plain[4..<4 + length]), limit: body.count) == body)
    #expect(plain[(4 + length)...].allSatisfy { $0 == 0 })
  }

  @Test func whatLibsodiumSealsOpensHere() throws {
    let sample = try Sample()
    let frame = try Zstd.compress([1, 2, 3])
    let file = try sample.seal(chunks: [([0, 0, 0, UInt8(frame.count)] + frame, 3)])
    #expect(try sample.open(file) == [1, 2, 3])
  }

  @Test func aBodyOrFileAboveItsLimitIsNotSealed() throws {
    expect(.tooLarge, "plain") { _ = try Sample().seal([UInt8](repeating: 0, count: 8 << 20 | 1)) }
    expect(.tooLarge, "sealed") { _ = try Sample().seal(SeededSource(seed: 5).bytes(530_000)) }
    expect(.tooLarge, "head") {
      _ = try Sample(kind: .head).seal([UInt8](repeating: 0, count: 256 << 10 | 1))
    }
    expect(.tooLarge, "fence") { _ = try Sample(kind: .fence).seal(SeededSource(seed: 5).bytes(65_536)) }
    let largest = [UInt8](repeating: 0, count: 8 << 20)
    #expect(try Sample().open(try Sample().seal(largest)) == largest)
    #expect(try Sample().seal(SeededSource(seed: 5).bytes(522_000)).count <= 512 << 10)
  }

  @Test func aKeyOfAnotherLengthIsRefused() throws {
    let short = try Secret([UInt8](repeating: 1, count: 31))
    let sample = try Sample()
    expect(.parameters) {
      _ = try Container.seal(header: sample.header, plaintext: [], dataKey: short, random: SystemRandom())
    }
  }
}
