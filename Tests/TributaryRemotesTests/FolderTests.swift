import Glibc
import TestSupport
import Testing
import TributaryModel
import TributaryRemotes

@Suite struct Folder {
  let scratch: Scratch
  let remote: FolderRemote
  let log = RemoteName.log(alice, seq: 1)

  init() throws {
    scratch = try Scratch()
    remote = FolderRemote(path: scratch.path, host: FakeHost().host)
  }

  @Test func aMissingFolderIsAnErrorAndIsNeverMade() throws {
    let path = "\(scratch.path)/stick"
    let missing = FolderRemote(path: path, host: FakeHost().host)
    let calls: [() throws -> Void] = [
      { _ = try missing.publish(log, [1]) }, { try missing.replace(.head(alice), [1]) },
      { _ = try missing.read(log) }, { _ = try missing.list(device: nil) },
      { _ = try missing.list(device: alice) },
      { try missing.delete(log) }, { _ = try missing.probe() }, { _ = try missing.usage() },
      { _ = try missing.identity }, { try missing.prepare(create: false) },
    ]
    for call in calls {
      let error = #expect(throws: RemoteError.self) { try call() }
      #expect(error?.code == .notThere)
    }
    #expect(TemporaryFolder.names(in: scratch.path) == [])
    try missing.prepare(create: true)
    #expect(try missing.publish(log, [1]) == .created)
  }

  @Test func conflictCopiesAndForeignFilesAreIgnoredAndCounted() throws {
    scratch.write(log.fileName, [1, 2])
    let foreign = [
      "0000000000000001 (conflicted copy).log", "0000000000000001.sync-conflict-20260101-120000-ABCDEFG.log",
      "head (Anna's conflicted copy 2026-01-01).bin", ".DS_Store", "notes.txt",
    ]
    for name in foreign { scratch.write(name, [9]) }
    scratch.write("~up-abc.tmp", [9])
    let entry = Listing.Entry(name: log, size: 2, state: .present)
    #expect(try remote.list(device: alice) == Listing(entries: [entry], devices: [alice], ignored: 5))
    mkdir("\(scratch.path)/sync/\(alice) 2", 0o700)
    mkdir("\(scratch.path)/sync/.stfolder", 0o700)
    #expect(try remote.list(device: nil) == Listing(devices: [alice], ignored: 2))
  }

  @Test func aStubIsNeitherAbsentNorOverwritten() throws {
    scratch.write(".\(log.fileName).icloud", [0])
    scratch.write(".head.bin.icloud", [0])
    scratch.write(".notes.txt.icloud", [0])
    #expect(try remote.read(log) == .notDownloaded)
    let listing = try remote.list(device: alice)
    #expect(listing.entries.map(\.state) == [.notDownloaded, .notDownloaded])
    #expect(listing.ignored == 1)
    let publication = #expect(throws: RemoteError.self) { try remote.publish(log, [1]) }
    #expect(publication?.code == .retryable)
    let replacement = #expect(throws: RemoteError.self) { try remote.replace(.head(alice), [1]) }
    #expect(replacement?.code == .retryable)
    #expect(scratch.names().count == 3)
  }

  @Test func aFileBesideItsStubIsPresent() throws {
    scratch.write(".\(log.fileName).icloud", [0])
    scratch.write(log.fileName, [1])
    #expect(try remote.read(log).bytes == [1])
    #expect(try remote.list(device: alice).entries.map(\.state) == [.present])
  }

  @Test func aDatalessFileIsNotDownloadedWhereSuchFilesExist() throws {
    scratch.write(log.fileName, [])
    try #require(truncate(scratch.file(log.fileName), 4096) == 0)
    #expect(try remote.read(log).bytes?.count == 4096)
    var host = FakeHost().host
    host.hasDatalessFiles = true
    let apple = FolderRemote(path: scratch.path, host: host)
    #expect(try apple.read(log) == .notDownloaded)
    #expect(try apple.list(device: alice).entries.map(\.state) == [.notDownloaded])
  }

  @Test func anUnchangedHeadIsNotReadAgain() throws {
    try remote.replace(.head(alice), [1])
    guard case .bytes(_, let tag) = try remote.read(.head(alice)) else {
      Issue.record()
      return
    }
    #expect(try remote.read(.head(alice), ifNot: tag) == .notModified)
  }

  @Test func aHeadWrittenThisSecondHasNoTag() throws {
    try remote.replace(.head(alice), [1])
    let present = FolderRemote(path: scratch.path)
    guard case .bytes(_, let tag) = try present.read(.head(alice)) else {
      Issue.record()
      return
    }
    #expect(tag == .none)
    #expect(try present.read(.head(alice), ifNot: tag).bytes == [1])
  }

  @Test func onlyOldTemporaryFilesOfTheDeviceAreSwept() throws {
    scratch.write("~up-old.tmp", [1])
    scratch.write("~up-old.tmp", [1], of: bob)
    scratch.write(log.fileName, [1])
    let now = Int64(time(nil))
    let young = FolderRemote(path: scratch.path, host: FakeHost(now: now + 80_000).host)
    #expect(try young.sweep(alice) == 0)
    let old = FolderRemote(path: scratch.path, host: FakeHost(now: now + 90_000).host)
    #expect(try old.sweep(alice) == 1)
    #expect(scratch.names() == [log.fileName])
    #expect(scratch.names(of: bob) == ["~up-old.tmp"])
  }

  @Test func theIdentityIsThePlaceAndNotItsSpelling() throws {
    let other = FolderRemote(path: "\(scratch.path)/./", host: FakeHost().host)
    #expect(try other.identity == remote.identity)
  }

  @Test func aFullDiskIsAQuotaErrorAndLeavesNothing() throws {
    // Only root may mount; elsewhere the injected ENOSPC stands in.
    guard geteuid() == 0, mount("tmpfs", scratch.path, "tmpfs", 0, "size=64k") == 0 else { return }
    defer { umount2(scratch.path, 2) }
    let error = #expect(throws: RemoteError.self) {
      try remote.publish(log, [UInt8](repeating: 1, count: 200_000))
    }
    #expect(error?.code == .quota)
    #expect(scratch.names() == [])
    #expect(try remote.publish(log, [1]) == .created)
  }
}

extension ReadOutcome {
  /// The bytes, if there are any.
  var bytes: [UInt8]? { if case .bytes(let bytes, _) = self { bytes } else { nil } }
}
