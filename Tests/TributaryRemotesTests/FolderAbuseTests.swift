import Glibc
import Testing
import TributaryModel
import TributaryRemotes

@Suite struct FolderAbuse {
  let scratch: Scratch
  let remote: FolderRemote
  let log = RemoteName.log(alice, seq: 1)

  init() throws {
    scratch = try Scratch()
    remote = FolderRemote(path: scratch.path, host: FakeHost().host)
  }

  @Test(.timeLimit(.minutes(1)))
  func aLogThatIsAFIFOIsRefusedWithoutWaiting() throws {
    scratch.makeFolder()
    try #require(mkfifo(scratch.file(log.fileName), 0o600) == 0)
    #expect(isRefused(try remote.read(log)))
    #expect(try remote.list(device: alice) == Listing(devices: [alice], ignored: 1))
    #expect(throws: RemoteError.self) { try remote.publish(log, [1]) }
  }

  @Test func aLogThatIsALinkIsRefused() throws {
    scratch.write("secret", [1, 2, 3])
    try #require(symlink(scratch.file("secret"), scratch.file(log.fileName)) == 0)
    #expect(isRefused(try remote.read(log)))
    #expect(try remote.list(device: alice) == Listing(devices: [alice], ignored: 2))
    let error = #expect(throws: RemoteError.self) { try remote.publish(log, [9]) }
    #expect(error?.code == .wrongKind)
    #expect(scratch.bytes("secret") == [1, 2, 3])
  }

  @Test func aLogThatIsAFolderIsRefused() throws {
    scratch.makeFolder()
    mkdir(scratch.file(log.fileName), 0o700)
    #expect(isRefused(try remote.read(log)))
    #expect(throws: RemoteError.self) { try remote.delete(log) }
  }

  @Test func aDeviceFolderThatIsALinkIsNeitherListedNorFollowed() throws {
    scratch.write(log.fileName, [1], of: bob)
    try #require(symlink("\(scratch.path)/sync/\(bob)", "\(scratch.path)/sync/\(alice)") == 0)
    #expect(try remote.list(device: nil) == Listing(devices: [bob], ignored: 1))
    #expect(isRefused(try remote.read(log)))
    #expect(throws: RemoteError.self) { try remote.list(device: alice) }
    let error = #expect(throws: RemoteError.self) { try remote.publish(.log(alice, seq: 2), [1]) }
    #expect(error?.code == .wrongKind)
    #expect(scratch.names(of: bob) == [log.fileName])
  }

  @Test func replacingAHeadThatIsALinkLeavesItsTarget() throws {
    scratch.write("secret", [1, 2, 3])
    try #require(symlink(scratch.file("secret"), scratch.file("head.bin")) == 0)
    try remote.replace(.head(alice), [9])
    #expect(scratch.bytes("secret") == [1, 2, 3])
    #expect(scratch.bytes("head.bin") == [9])
  }

  @Test func aHugeFileIsRefusedBeforeItIsHeld() throws {
    scratch.write(log.fileName, [])
    try #require(truncate(scratch.file(log.fileName), 1 << 40) == 0)
    let error = #expect(throws: RemoteError.self) { try remote.read(log) }
    #expect(error?.code == .tooLarge)
  }

  @Test func moreDevicesThanTheLimitAreATypedError() throws {
    for low in 0..<UInt64(Listing.deviceLimit + 1) { scratch.makeFolder(of: DeviceID(high: 9, low: low)) }
    let error = #expect(throws: RemoteError.self) { try remote.list(device: nil) }
    #expect(error?.code == .tooLarge)
  }

  @Test func aListingStopsAtItsLimit() throws {
    for name in ["a", "b", "c"] { scratch.write(name, []) }
    let directory = try LiveFiles().openRoot("\(scratch.path)/sync/\(alice)")
    defer { close(directory) }
    let fault = #expect(throws: SystemFault.self) { try LiveFiles().names(in: directory, limit: 2) }
    #expect(fault?.number == EOVERFLOW)
    #expect(try LiveFiles().names(in: directory, limit: 3).count == 3)
  }

  private func isRefused(_ outcome: ReadOutcome) -> Bool {
    if case .listedButRefused = outcome { true } else { false }
  }
}
