import Glibc
import TestSupport
import Testing

@testable import TributaryCustody

@Suite struct State {
  @Test(arguments: [
    (["TRIBUTARY_STATE_HOME": "/t", "XDG_STATE_HOME": "/x", "HOME": "/h"], "/t"),
    (["XDG_STATE_HOME": "/x", "HOME": "/h"], "/x/tributary"),
    (["HOME": "/h"], "/h/.local/state/tributary"),
    (["TRIBUTARY_STATE_HOME": "", "XDG_STATE_HOME": "relative", "HOME": "/h"], "/h/.local/state/tributary"),
  ])
  func theFolderFollowsTheEnvironment(environment: [String: String], path: String) throws {
    #expect(try StateDirectory(environment: environment).path == path)
  }

  @Test func withoutAHomeThereIsATypedError() {
    let error = #expect(throws: CustodyError.self) { try StateDirectory(environment: [:]) }
    #expect(error?.code == .noHome)
  }

  @Test func missingParentsAreMade() throws {
    let scratch = try Scratch()
    let deep = StateDirectory(path: "\(scratch.root)/a/b/c")
    try FileSecretStore(directory: deep, machine: Machine(id: nil)).write("app", [1])
    #expect(TemporaryFolder.names(in: deep.path) == ["app.secret"])
  }
}

@Suite struct Locks {
  @Test func aSecondSyncIsRefusedAndNamesTheFirst() throws {
    let scratch = try Scratch()
    let first = try SyncLock.take("app", in: scratch.directory)
    let error = #expect(throws: CustodyError.self) { try SyncLock.take("app", in: scratch.directory) }
    #expect(error?.code == .busy)
    #expect(error?.message.contains("(process \(getpid()))") == true)
    first.release()
    first.release()
    let second = try SyncLock.take("app", in: scratch.directory)
    second.release()
  }

  @Test func otherStoresAreNotLocked() throws {
    let scratch = try Scratch()
    let first = try SyncLock.take("a", in: scratch.directory)
    let second = try SyncLock.take("b", in: scratch.directory)
    first.release()
    second.release()
  }

  @Test func aLockEndsThoughAChildStillHasItsDescriptor() throws {
    let scratch = try Scratch()
    let lock = try SyncLock.take("app", in: scratch.directory)
    // As between the fork of a child and the program that it begins.
    let files = (3..<65_536).filter { isSameFile($0, scratch.directory.path + "/app.lock") }
    let copies = files.map { dup($0) }
    defer { for copy in copies { close(copy) } }
    #expect(copies.count == 1)
    lock.release()
    try SyncLock.take("app", in: scratch.directory).release()
  }

  private func isSameFile(_ file: Int32, _ path: String) -> Bool {
    var (open, named) = (stat(), stat())
    return fstat(file, &open) == 0 && stat(path, &named) == 0 && open.st_ino == named.st_ino
      && open.st_dev == named.st_dev
  }

  @Test func aLockEndsWithItsOwner() throws {
    let scratch = try Scratch()
    do { _ = try SyncLock.take("app", in: scratch.directory) }
    try SyncLock.take("app", in: scratch.directory).release()
  }

  @Test func aLockFileThatIsALinkIsRefused() throws {
    let scratch = try Scratch()
    mkdir(scratch.directory.path, 0o700)
    scratch.write("target", [1, 2, 3])
    symlink(scratch.path("target"), scratch.path("app.lock"))
    #expect(throws: CustodyError.self) { try SyncLock.take("app", in: scratch.directory) }
    #expect(scratch.bytes("target") == [1, 2, 3])
  }
}
