import TestSupport
import Testing
import TributaryModel
import TributaryWire

@Suite struct Snapshots {
  private func write(_ entries: [Entry], held: [HeldBlock] = []) throws -> [SnapshotPart] {
    var writer = SnapshotWriter(limits: FileLimits(sealed: 20_000, plain: 100_000, entries: 50))
    var parts: [SnapshotPart] = []
    for entry in entries { parts += try writer.add(entry) }
    for block in held { parts += try writer.add(block) }
    parts += try writer.finish(sampleManifest)
    return try parts.map { try SnapshotPart(decoding: try $0.encode().bytes) }
  }

  private func read(
    _ parts: [SnapshotPart]
  ) throws -> (entries: [Entry], held: [HeldBlock], manifest: SnapshotManifest) {
    var reader = SnapshotReader(format: 1)
    var (entries, held): ([Entry], [HeldBlock]) = ([], [])
    for part in parts {
      let (content, more) = try reader.read(part)
      entries += content.entries
      held += more
    }
    return (entries, held, try reader.finish())
  }

  @Test func statesHeldBlocksAndManifestComeBack() throws {
    try withSeeds(20) { random in
      var generator = RandomEntries(&random)
      let entries = generator.entries(400)
      let held = try encoded(generator.entries(9)).enumerated().map {
        HeldBlock(device: bob, seq: UInt64($0), block: $1.raw)
      }
      let parts = try write(entries, held: held)
      let result = try read(parts)
      var expected = sampleManifest
      expected.heldCount = UInt64(held.count)
      var digest = StateDigest()
      for entry in entries.reversed() { try digest.add(entry) }
      expected.stateDigest = digest.bytes
      for entry in entries { expected.counts[entry.name.type, default: 0] += 1 }
      return parts.count > 3 && result.entries.sorted { $0.name < $1.name } == entries
        && result.held == held && result.manifest == expected
    }
  }

  @Test func theRangesOfPartsDoNotOverlap() throws {
    var random = Splitmix(seed: 2)
    var generator = RandomEntries(&random)
    var last: RecordName?
    for part in try write(generator.entries(500)) {
      var reader = SnapshotReader(format: 1)
      let names = try reader.read(part).content.entries.map(\.name).sorted()
      if let last, let first = names.first { #expect(last < first) }
      last = names.last ?? last
    }
  }

  @Test func aSnapshotWithoutItsLastPartIsNotWhole() throws {
    var random = Splitmix(seed: 3)
    var generator = RandomEntries(&random)
    let parts = try write(generator.entries(200))
    expect(.incompleteRun) { _ = try read(Array(parts.dropLast())) }
    expect(.malformed) { _ = try read(parts + [parts[0]]) }
  }

  @Test func aLargeValueGoesOverSeveralParts() throws {
    var random = Splitmix(seed: 4)
    let value = Value.blob(random.bytes(600_000))
    let state = RecordState(born: at(5), fields: [Field("b", Register(stamp: at(5), value: value))])
    let entry = Entry(RecordName("item", id("k")), state)
    var writer = SnapshotWriter()
    var parts = try writer.add(entry)
    parts += try writer.finish(sampleManifest)
    #expect(parts.count >= 3)
    #expect(try read(parts).entries == [entry])
    parts.remove(at: 0)
    expect(.incompleteRun) { _ = try read(parts) }
  }
}
