import Glibc
import Testing
import TributaryModel
import TributaryRemotes

/// Whatever call fails, a final name has all of its bytes or does not exist.
@Suite struct FolderFaults {
  let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0) }
  let old = [UInt8](repeating: 9, count: 7000)
  let log = RemoteName.log(alice, seq: 1)

  @Test(arguments: [EIO, ENOSPC, EACCES, ENOTSUP, EROFS], [false, true])
  func aFaultAtAnyCallNeverLeavesAHalfFile(number: Int32, killed: Bool) throws {
    var calls = 0
    for nth in 0... {
      let scratch = try Scratch()
      let files = FaultyFiles(.init(nth: nth, number: number, sticky: killed), shortWrites: true)
      let remote = FolderRemote(path: scratch.path, files: files, host: FakeHost().host)
      let outcome = try? remote.publish(log, bytes)
      let found = scratch.bytes(log.fileName)
      #expect(found == nil || found == bytes, "call \(nth), errno \(number)")
      if outcome != nil { #expect(found == bytes) }
      if files.failed == 0 { break }
      calls += 1
      if !killed { #expect(scratch.names() == (found == nil ? [] : [log.fileName])) }
      let retry = FolderRemote(path: scratch.path, host: FakeHost().host)
      let again = try retry.publish(log, bytes)
      #expect(again == (found == nil ? .created : .alreadySame))
    }
    #expect(calls > 15)
  }

  @Test(arguments: [EIO, ENOSPC, EBUSY], [false, true])
  func aFaultAtAnyCallLeavesTheOldHeadOrTheNewOne(number: Int32, killed: Bool) throws {
    for nth in 0... {
      let scratch = try Scratch()
      scratch.write("head.bin", old)
      let files = FaultyFiles(.init(nth: nth, number: number, sticky: killed), shortWrites: true)
      let remote = FolderRemote(path: scratch.path, files: files, host: FakeHost().host)
      let done: Void? = try? remote.replace(.head(alice), bytes)
      let found = scratch.bytes("head.bin")
      #expect(found == old || found == bytes)
      if done != nil { #expect(found == bytes) }
      if files.failed == 0 { break }
    }
  }

  @Test func aFaultThatIsSurvivedLeavesNoTemporaryFile() throws {
    for call in ["write", "synchronize", "close", "renameNew"] {
      let scratch = try Scratch()
      scratch.makeFolder()
      let files = FaultyFiles(.init(nth: 0, calls: [call], number: EIO))
      let remote = FolderRemote(path: scratch.path, files: files, host: FakeHost().host)
      #expect(throws: RemoteError.self) { try remote.publish(log, bytes) }
      #expect(scratch.names() == [], "after \(call)")
    }
  }

  @Test(arguments: [EACCES, EBUSY, EPERM])
  func aRenameThatIsBlockedForAWhileIsTriedAgain(number: Int32) throws {
    let (scratch, clock) = (try Scratch(), FakeHost())
    let files = FaultyFiles(.init(nth: 0, calls: ["renameNew"], number: number, times: 4))
    let remote = FolderRemote(path: scratch.path, files: files, host: clock.host)
    #expect(try remote.publish(log, bytes) == .created)
    #expect(clock.slept == 10 + 20 + 40 + 80)
  }

  @Test func aRenameThatStaysBlockedIsLeftForLater() throws {
    let (scratch, clock) = (try Scratch(), FakeHost())
    let files = FaultyFiles(.init(nth: 0, calls: ["renameNew"], number: EACCES, sticky: true))
    let remote = FolderRemote(path: scratch.path, files: files, host: clock.host)
    let error = #expect(throws: RemoteError.self) { try remote.publish(log, bytes) }
    #expect(error?.code == .retryable)
    #expect((3000...3200).contains(clock.slept))
    #expect(scratch.names() == [])
  }

  @Test(arguments: [
    (ENOSPC, RemoteError.Code.quota), (EDQUOT, .quota), (EROFS, .forbidden), (EACCES, .forbidden),
    (EIO, .retryable),
    (EFBIG, .tooLarge),
  ])
  func aFailedWriteSaysWhatToDo(number: Int32, code: RemoteError.Code) throws {
    let scratch = try Scratch()
    let files = FaultyFiles(.init(nth: 0, calls: ["write"], number: number))
    let remote = FolderRemote(path: scratch.path, files: files, host: FakeHost().host)
    let error = #expect(throws: RemoteError.self) { try remote.publish(log, bytes) }
    #expect(error?.code == code)
    #expect(error?.cause as? SystemFault == SystemFault("write", number))
    #expect("\(try #require(error))".contains(log.path))
  }

  @Test(arguments: [EINVAL, ENOTSUP])
  func aFileSystemThatCannotSyncIsNoFailure(number: Int32) throws {
    let scratch = try Scratch()
    let files = FaultyFiles(.init(nth: 0, calls: ["synchronize"], number: number, sticky: true))
    let remote = FolderRemote(path: scratch.path, files: files, host: FakeHost().host)
    #expect(try remote.publish(log, bytes) == .created)
    #expect(scratch.bytes(log.fileName) == bytes)
  }
}
