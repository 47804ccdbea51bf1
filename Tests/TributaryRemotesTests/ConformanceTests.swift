import Testing
import TributaryModel
import TributaryRemotes
import TributaryTesting

@Suite struct Conformance {
  @Test func aFolderKeepsEveryPromise() throws {
    var scratches: [Scratch] = []
    let failures = RemoteConformance.run {
      let scratch = try Scratch()
      scratches.append(scratch)
      return .folder(scratch.path)
    }
    #expect(failures.isEmpty, "\(failures)")
    #expect(scratches.count == RemoteConformance.checks.count)
  }

  @Test(arguments: [
    ["renameNew"], ["renameNew", "link"],
  ])
  func aFolderWithoutAnExclusiveRenameKeepsThemToo(missing: Set<String>) throws {
    var scratches: [Scratch] = []
    let failures = RemoteConformance.failures(over: {
      let scratch = try Scratch()
      scratches.append(scratch)
      let files = FaultyFiles(.init(nth: 0, calls: missing, number: 95, sticky: true))
      return FolderRemote(path: scratch.path, files: files, host: FakeHost().host)
    })
    #expect(failures.isEmpty, "\(failures)")
  }

  @Test func aRemoteInMemoryKeepsEveryPromise() {
    let failures = RemoteConformance.run { MemoryRemote(seed: 3).location(for: "a") }
    #expect(failures.isEmpty, "\(failures)")
  }

  @Test func aRemoteThatTearsFilesIsFoundOut() {
    var faults = Faults()
    faults.tornPerMille = 1000
    faults.tornTicks = nil
    let failures = RemoteConformance.failures(over: { MemoryRemote(seed: 3, faults: faults).view(for: "a") })
    #expect(failures.contains { $0.check == "aPublishedFileReadsBackWhole" })
  }

  @Test func checksHaveNamesOfTheirOwn() {
    #expect(Set(RemoteConformance.checks).count == RemoteConformance.checks.count)
  }
}
