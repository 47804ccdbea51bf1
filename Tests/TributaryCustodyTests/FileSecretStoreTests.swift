import Glibc
import Synchronization
import TestSupport
import Testing

@testable import TributaryCustody

@Suite struct FileSecrets {
  let scratch: Scratch
  let here = Machine(id: Array("machine a".utf8))
  let secret = Array("a secret".utf8)

  init() throws { scratch = try Scratch() }

  var store: FileSecretStore { FileSecretStore(directory: scratch.directory, machine: here) }

  @Test func aSecretComesBackAndGoes() throws {
    #expect(try store.read("app") == nil)
    #expect(!scratch.names.contains("app.secret"))
    try store.write("app", secret)
    #expect(try store.read("app") == secret)
    try store.write("app", [])
    #expect(try store.read("app") == [])
    try store.remove("app")
    try store.remove("app")
    #expect(try store.read("app") == nil)
  }

  @Test func onlyTheUserCanReadIt() throws {
    let old = umask(0)
    defer { umask(old) }
    try store.write("app", secret)
    #expect(scratch.mode(scratch.path("app.secret")) == 0o600)
    #expect(scratch.mode(scratch.directory.path) == 0o700)
    #expect(scratch.names == ["app.secret"])
  }

  @Test func aFileThatOthersCanReadIsClosedToThem() throws {
    try store.write("app", secret)
    chmod(scratch.path("app.secret"), 0o644)
    chmod(scratch.directory.path, 0o755)
    #expect(try store.read("app") == secret)
    #expect(scratch.mode(scratch.path("app.secret")) == 0o600)
    #expect(scratch.mode(scratch.directory.path) == 0o700)
  }

  @Test func whatOthersCanWriteIsRefused() throws {
    try store.write("app", secret)
    chmod(scratch.path("app.secret"), 0o622)
    #expect(code { _ = try store.read("app") } == .unsafe)
    chmod(scratch.path("app.secret"), 0o600)
    chmod(scratch.directory.path, 0o770)
    #expect(code { _ = try store.read("app") } == .unsafe)
    #expect(code { try store.write("app", secret) } == .unsafe)
  }

  @Test func anotherUsersFileIsRefused() throws {
    // Only root can give a file away.
    guard geteuid() == 0 else { return }
    try store.write("app", secret)
    chown(scratch.path("app.secret"), 12_345, 12_345)
    #expect(code { _ = try store.read("app") } == .unsafe)
  }

  @Test(.timeLimit(.minutes(1)))
  func aLinkOrAFIFOIsRefusedWithoutWaiting() throws {
    try store.write("other", secret)
    try #require(symlink(scratch.path("other.secret"), scratch.path("app.secret")) == 0)
    #expect(code { _ = try store.read("app") } == .unsafe)
    unlink(scratch.path("app.secret"))
    try #require(mkfifo(scratch.path("app.secret"), 0o600) == 0)
    #expect(code { _ = try store.read("app") } == .unsafe)
  }

  @Test func aStateFolderThatIsALinkIsRefused() throws {
    mkdir("\(scratch.root)/real", 0o700)
    symlink("\(scratch.root)/real", scratch.directory.path)
    #expect(code { try store.write("app", secret) } == .unsafe)
    #expect(TemporaryFolder.names(in: "\(scratch.root)/real") == [])
  }

  @Test func secretsOfAnotherMachineReadAsNoneAndAreNotOverwritten() throws {
    try store.write("app", secret)
    let original = scratch.bytes("app.secret")
    let there = FileSecretStore(directory: scratch.directory, machine: Machine(id: Array("machine b".utf8)))
    #expect(try there.read("app") == nil)
    try there.write("app", [1])
    #expect(try there.read("app") == [1])
    #expect(scratch.bytes("app.foreign") == original)
  }

  @Test func aDamagedFileIsATypedErrorAtEveryByte() throws {
    try store.write("app", secret)
    let whole = scratch.bytes("app.secret")
    for index in whole.indices {
      var flipped = whole
      flipped[index] ^= 1
      scratch.write("app.secret", flipped)
      #expect(code { _ = try store.read("app") } == .damaged)
      scratch.write("app.secret", Array(whole.prefix(index)))
      #expect(code { _ = try store.read("app") } == .damaged)
    }
  }

  @Test(arguments: ["", "-a", "A", "a/b", "..", "a.b", "a\0", "ä", String(repeating: "a", count: 65)])
  func aBadNameNeverReachesTheDisk(name: String) {
    #expect(code { try store.write(name, secret) } == .badName)
    #expect(code { _ = try store.read(name) } == .badName)
    #expect(code { try store.remove(name) } == .badName)
    #expect(scratch.names == [])
  }

  @Test(arguments: ["create", "write", "short", "sync", "rename"])
  func aTornWriteLeavesTheOldSecret(call: String) throws {
    try store.write("app", secret)
    let torn = FileSecretStore(directory: scratch.directory, machine: here, calls: failing(call))
    #expect(code { try torn.write("app", Array(repeating: 9, count: 5000)) } == .system)
    #expect(try store.read("app") == secret)
    #expect(scratch.names == ["app.secret"])
  }

  @Test func aShortWriteIsCompleted() throws {
    var calls = FileCalls()
    calls.write = { file, bytes in Glibc.write(file, bytes.baseAddress, min(7, bytes.count)) }
    try FileSecretStore(directory: scratch.directory, machine: here, calls: calls).write("app", secret)
    #expect(try store.read("app") == secret)
  }

  private func failing(_ call: String) -> FileCalls {
    @Sendable func fail() -> Int32 {
      errno = EIO
      return -1
    }
    var calls = FileCalls()
    switch call {
    case "create": calls.create = { _, _ in fail() }
    case "write": calls.write = { _, _ in Int(fail()) }
    case "short":
      let count = Counter()
      calls.write = { file, bytes in
        if count.next() > 0 { return Int(fail()) }
        return Glibc.write(file, bytes.baseAddress, 10)
      }
    case "sync": calls.sync = { _ in fail() }
    default: calls.rename = { _, _, _ in fail() }
    }
    return calls
  }

  private func code(_ body: () throws -> Void) -> CustodyError.Code? {
    do { try body() } catch { return (error as? CustodyError)?.code }
    return nil
  }
}

/// Counts from 0.
private final class Counter: Sendable {
  private let count = Atomic(0)

  func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}
