import Foundation
import Testing

@testable import TributaryTool

/// Syncs that are stopped or met by others, as processes.
@Suite struct ProcessTests {
  @Test func aSyncThatIsInterruptedLosesNothing() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    let count = 20_000
    try place.fill("one", count)
    let sync = try place.start("one", "sync")
    // It runs in slices, so that it cannot end between two looks.
    while try place.uploads().isEmpty, sync.isRunning {
      sync.signal(SIGCONT)
      usleep(500)
      sync.signal(SIGSTOP)
    }
    sync.signal(SIGINT)
    sync.signal(SIGCONT)
    let run = sync.finish()
    #expect(run.code == 130 && run.errors == "tributary: interrupted\n" && run.output == "", "\(run)")
    let sent = try place.uploads().count
    #expect(try place.tool("one", "status", "--json").output.contains("\"unsentFiles\":0") == false)
    #expect(try place.tool("one", "sync").code == 0)
    #expect(try place.uploads().count > sent)
    #expect(try place.tool("two", "sync").code == 0)
    #expect(try place.tool("two", "sql", "SELECT count(*) FROM note").output == "\(count)\n")
    let check = try place.tool("two", "check")
    #expect(check.code == 0, "\(check)")
  }

  @Test func readingIsInterruptedAndGoesOnToo() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    try place.fill("one")
    #expect(try place.tool("one", "sync").code == 0)
    let sync = try place.start("two", "sync")
    usleep(100_000)
    sync.signal(SIGINT)
    // Too late is no failure: then it had ended.
    #expect([0, 130].contains(sync.finish().code))
    #expect(try place.tool("two", "sync").code == 0)
    #expect(try place.tool("two", "sql", "SELECT count(*) FROM note").output == "\(Place.filling)\n")
  }

  @Test func aSecondSyncEndsWithSeventyFiveAndReadersGoOn() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    try place.fill("one", 4_000)
    let first = try place.start("one", "sync")
    while try !place.isLocked("one", by: first), first.isRunning { usleep(200) }
    first.signal(SIGSTOP)
    // It may stand in the middle of opening the file, where SQLite lets nobody in.
    while try place.tool("one", "status").code == 75, first.isRunning {
      first.signal(SIGCONT)
      usleep(1_000)
      first.signal(SIGSTOP)
    }
    let second = try place.tool("one", "sync")
    #expect(second.code == 75 && second.errors.contains("process \(first.id)"), "\(second)")
    let status = try place.tool("one", "status")
    #expect(status.code == 0 && status.output.contains("Never synced."))
    #expect(try place.tool("one", "check", "--local").code == 0)
    let waiting = try place.start("one", "sql", "INSERT INTO note VALUES('last','of all',NULL)")
    usleep(300_000)
    #expect(waiting.isRunning)
    first.signal(SIGCONT)
    #expect(first.finish().code == 0)
    #expect(waiting.finish().code == 0)
    #expect(try place.tool("one", "sync").output.hasPrefix("Sent 1, "))
  }
}

extension Place {
  /// Enough for several logs, so that a sync takes its time.
  fileprivate static let filling = 12_000

  fileprivate func fill(_ device: String, _ count: Int = filling) throws {
    let sql = """
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<\(count))
      INSERT INTO note SELECT 'k'||i,hex(randomblob(200)),NULL FROM n
      """
    let run = try tool(device, "sql", sql)
    guard run.code == 0 else { throw ToolError(.failure, run.errors) }
  }

  /// Logs and parts of snapshots.
  fileprivate func uploads() throws -> [String] { try files(".log") + files(".snap") }

  /// Whether the process holds the lock of the device's store.
  fileprivate func isLocked(_ device: String, by process: RunningProcess) throws -> Bool {
    let names = try FileManager.default.contentsOfDirectory(atPath: state(device))
    return names.filter { $0.hasSuffix(".lock") }.contains {
      let text = try? String(contentsOfFile: "\(state(device))/\($0)", encoding: .utf8)
      return text == "\(process.id)\n"
    }
  }
}
