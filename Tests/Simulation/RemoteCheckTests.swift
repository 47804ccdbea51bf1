import TestSupport
import Testing
import TributaryCodec
import TributaryCustody
import TributaryModel
import TributaryRemotes
import TributaryStore
import TributaryTesting
import TributaryWire

@testable import Tributary

/// What `check` says of remotes that only engines wrote, and of snapshots, whole and tampered with.
struct RemoteCheckTests {
  @Test(arguments: 1...25)
  func nothingIsFoundAfterAnyHistoryOfAFleet(seed: UInt64) throws {
    let run = try Scheduler.run(seed: seed, steps: 60)
    try run.settleDown()
    for device in run.devices {
      let found = try device.check()
      #expect(found == [], "seed \(seed): \(device.name)\n\(run.history.trace)")
    }
  }

  @Test func aFirstUploadAsASnapshotIsCheckedLikeAnyOther() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    try crew.load(a, 90)
    _ = try a.sync()
    let b = try crew.join("b")
    _ = try b.sync()
    for device in [a, b] { #expect(try device.check() == []) }
    try crew.send(a, "UPDATE list SET name='later' WHERE name='n7'")
    try a.compact()
    _ = try b.sync()
    for device in [a, b] { #expect(try device.check() == []) }
    for name in crew.remote.contents.keys where name.fileName.hasSuffix(".snap") {
      crew.remote.plant(name, nil)
    }
    let found = try a.check()
    #expect(found.count == 1 && found[0].contains("which the head names, is missing"), "\(found)")
  }

  @Test func aSnapshotMayStandForTheLogsThatItCovers() throws {
    let scene = try SnapshotScene()
    #expect(scene.parts.count > 2)
    #expect(try scene.found() == [])
    scene.remote.plant(.log(scene.device, seq: 1), nil)
    #expect(try scene.found() == [])
    scene.remote.plant(.log(scene.device, seq: 2), nil)
    #expect(try scene.found() == [])
  }

  @Test func logsThatNoSnapshotCoversMustBeThere() throws {
    let scene = try SnapshotScene()
    scene.remote.plant(.log(scene.device, seq: 1), nil)
    scene.remote.plant(.log(scene.device, seq: 3), nil)
    #expect(try scene.found().contains("damage Log 3 is missing, though the head has them."))
  }

  @Test func everyPartOfASnapshotMustBeThereAndInItsPlace() throws {
    let scene = try SnapshotScene()
    for (index, part) in scene.parts.enumerated() {
      let name = RemoteName.snapshot(scene.device, seq: 2, part: UInt16(index))
      scene.remote.plant(name, nil)
      #expect(try !scene.found().isEmpty, "without part \(index)")
      var damaged = part
      damaged[part.count - 10] ^= 1
      scene.remote.plant(name, damaged)
      #expect(try scene.found().count == 1, "with part \(index) damaged")
      scene.remote.plant(name, part)
    }
    for index in scene.parts.indices {
      scene.remote.plant(.snapshot(scene.device, seq: 2, part: UInt16(index)), nil)
    }
    #expect(try scene.found().contains { $0.contains("which the head names, is missing") })
  }

  @Test func aPartThatDoesNotFollowIsFound() throws {
    let scene = try SnapshotScene()
    let other = try SnapshotScene(first: Hash.digest([1]))
    #expect(try other.found().contains { $0.contains("does not follow what was read before it") })
    #expect(try scene.found() == [])
  }

  @Test func anotherSnapshotThanTheHeadNamesIsFound() throws {
    let scene = try SnapshotScene()
    try scene.writeHead(snapshot: .init(seq: 2, parts: UInt32(scene.parts.count), hash: Hash.digest([1])))
    #expect(try scene.found() == ["damage The snapshot up to log 2 is not the one that the head names."])
    try scene.writeHead(snapshot: .init(seq: 2, parts: 99, hash: Hash.digest([1])))
    #expect(try scene.found().first?.contains("and the head names 99") == true)
  }

  @Test func eachFileIsReadOnceAndAStopEndsTheCheck() throws {
    struct Stop: Error {}
    let scene = try SnapshotScene()
    let engine = try #require(scene.owner.engine)
    let counting = CountingRemote(scene.remote.view(for: "checker"))
    let check = RemoteCheck(
      counting, secrets: engine.secrets, cursors: [:], format: 1, report: { _ in })
    try check.run()
    let count = counting.take()
    #expect(check.counts.files == scene.remote.contents.count)
    #expect(count.bytesRead == scene.remote.contents.values.reduce(0) { $0 + $1.count })
    let stopped = RemoteCheck(
      counting, secrets: engine.secrets, cursors: [:], format: 1, report: { _ in },
      step: { _ in throw Stop() })
    #expect(throws: Stop.self) { try stopped.run() }
  }

  @Test func aKeyFileThatWasReplacedIsToldOnceAndNotForEveryLog() throws {
    let scene = try SnapshotScene()
    let name = RemoteName.key(scene.device, epoch: 1)
    var bytes = try #require(scene.remote.contents[name])
    bytes[200] ^= 1
    scene.remote.plant(name, bytes)
    let found = try scene.found()
    #expect(
      found.count == 2
        && found.contains { $0.hasPrefix("unread ") && $0.contains("files are sealed under a key") })
  }
}

extension SimulatedDevice {
  /// What a check of the store and of the remote finds.
  fileprivate func check() throws -> [String] {
    let engine = try #require(engine)
    let view = try StoreView.open(path, schema: store.schema)
    defer { view.close() }
    var found: [String] = []
    let local = StateCheck(view) { found.append("\($0.code) \($0.table ?? "") \($0.key) \($0.message)") }
    try view.read {
      try local.run()
      try OutboxCheck(view, secrets: engine.secrets).run(local)
      let remote = RemoteCheck(
        engine.remote, secrets: engine.secrets, cursors: try view.cursors(), format: view.build.format,
        onEntries: { try local.compare($0, with: $1) },
        report: { if $0.severity != .note { found.append("\($0.path) \($0.message)") } })
      try remote.run()
    }
    return found
  }
}

/// One device with three logs, and a snapshot of several parts that reaches to the second.
private final class SnapshotScene {
  let remote = MemoryRemote(seed: 3)
  let owner: SimulatedDevice
  let device: DeviceID
  private(set) var parts: [[UInt8]] = []
  private let folder: TemporaryFolder
  private let sealing: Sealing
  private var head: Head

  /// - Parameter first: the hash that the first part claims to follow; nil for the right one.
  init(first: Digest? = nil) throws {
    folder = try TemporaryFolder()
    let world = SimulatedWorld(seed: 3)
    owner = try SimulatedDevice("a", in: folder, world, remote, skew: 0)
    try owner.attach(create: true)
    device = owner.device
    for number in 1...3 {
      try owner.store.write {
        try $0.execute("INSERT INTO list(id,name) VALUES('l\(number)',hex(randomblob(3000)))")
      }
      world.advance(5)
      _ = try owner.sync()
    }
    sealing = try #require(try owner.engine?.sealing())
    let bytes = try #require(remote.contents[.head(device)])
    head = try Head(
      decoding: SealedFile.open(bytes, at: .head(device), dataKey: sealing.dataKey).body)
    try seal(after: try first ?? Container.fileHash(#require(remote.contents[.log(device, seq: 2)])))
  }

  private func seal(after first: Digest) throws {
    var writer = SnapshotWriter(limits: FileLimits(sealed: 2_000))
    var bodies: [SnapshotPart] = []
    for entry in try owner.canonical() { bodies += try writer.add(entry) }
    bodies += try writer.finish(SnapshotManifest(cursors: [:], acknowledged: [:]))
    var previous = first
    for (index, body) in bodies.enumerated() {
      let place = FilePlace.snapshot(device, 2, part: UInt16(index))
      let bytes = try SealedFile.seal(body.encode(), at: place, previous: previous, with: sealing)
      previous = Container.fileHash(bytes)
      parts.append(bytes)
      remote.plant(.snapshot(device, seq: 2, part: UInt16(index)), bytes)
    }
    try writeHead(snapshot: .init(seq: 2, parts: UInt32(parts.count), hash: previous))
  }

  func writeHead(snapshot: Head.Snapshot) throws {
    head.snapshot = snapshot
    remote.plant(
      .head(device), try SealedFile.seal(head.encode(), at: .head(device), counter: 9, with: sealing))
  }

  func found() throws -> [String] {
    let engine = try #require(owner.engine)
    var found: [String] = []
    let check = RemoteCheck(
      remote.view(for: "checker"), secrets: engine.secrets, cursors: [:], format: 1,
      report: { found.append("\($0.severity) \($0.message)") })
    try check.run()
    return found
  }
}
