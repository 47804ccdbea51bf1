import Foundation
import Testing
import TributaryRemotes

@testable import Tributary
@testable import TributaryTool

/// Each documented exit code, by the tool as it was built.
@Suite struct ExitCodeTests {
  @Test func zeroForASyncAndOneForAFailure() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    #expect(try place.tool("one", "sync").code == 0)
    let run = try place.tool("one", "sql", "SELECT nonsense")
    #expect(run.code == 1 && run.errors.contains("no such column"))
  }

  @Test func twoForAWrongCommandLine() throws {
    let place = try Place()
    defer { place.remove() }
    #expect(try place.tool("one", "sync", "--jsno").code == 2)
    #expect(
      try place.tool("one", "attach", place.remote, "--schema", place.schema, "--new", password: "short").code
        == 2)
  }

  @Test func threeWithoutAnAttachedDatabase() throws {
    let place = try Place()
    defer { place.remove() }
    #expect(try place.tool("one", "status").code == 3)
  }

  @Test func fourForAWrongPassword() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    let run = try place.tool("two", "attach", place.remote, "--schema", place.schema, password: "another one")
    #expect(run.code == 4)
    #expect(!run.errors.contains("another one"))
  }

  @Test func fiveForARemoteThatIsAwayAndEditsWait() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    try place.move(place.remote, to: place.path + "/away")
    #expect(try place.tool("one", "sql", "INSERT INTO note VALUES('a','first',NULL)").code == 0)
    let run = try place.tool("one", "sync")
    #expect(run.code == 5 && run.errors.contains(place.remote))
    try place.move(place.path + "/away", to: place.remote)
    #expect(try place.tool("one", "sync").code == 0)
    #expect(try place.tool("two", "sync").code == 0)
    #expect(try place.tool("two", "sql", "SELECT text FROM note").output == "first\n")
  }

  @Test func aFullRemoteAndOthersMapToTheirCodes() {
    let codes: [(RemoteError.Code, ExitCode)] = [
      (.quota, .remoteFull), (.retryable, .remoteUnavailable), (.rateLimited, .remoteUnavailable),
      (.notThere, .remoteUnavailable), (.forbidden, .failure), (.permanent, .failure),
    ]
    for (code, exit) in codes { #expect(ToolError(explaining: RemoteError(code, "it")).exitCode == exit) }
  }

  /// On a file system of its own, in a name space that ends with the shell.
  @Test(.enabled(if: canMount))
  func sixForARemoteThatIsFullAndEditsWait() throws {
    let place = try Place()
    defer { place.remove() }
    let script = """
      set -e
      mkdir "$2" && mount -t tmpfs -o size=256k tributary-test "$2"
      "$0" attach "$1" "$2" --schema "$3" --new >&2
      "$0" sync "$1" >&2
      "$0" sql "$1" "INSERT INTO note VALUES('a',hex(randomblob(9000)),NULL)"
      dd if=/dev/zero of="$2/filler" bs=1k 2>/dev/null || true
      code=0; "$0" sync "$1" || code=$?
      echo "full: $code"
      rm "$2/filler"
      "$0" sync "$1" >&2
      find "$2" -name '*.log' | wc -l
      """
    let quoted = script.replacingOccurrences(of: "'", with: "'\\''")
    let run = try place.shell("exec unshare -rm /bin/sh -c '\(quoted)' \"$0\" \"$1\" \"$2\" \"$3\"", "one")
    #expect(run.code == 0 && run.output == "full: 6\n1\n", "\(run)")
  }

  @Test func sevenForWhatIsParkedOrNotReadToItsEnd() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    #expect(try place.tool("one", "sql", "INSERT INTO note VALUES('a','first','c')").code == 0)
    #expect(try place.tool("one", "sync").code == 0)
    #expect(try place.tool("two", "sync").code == 0)
    #expect(try place.tool("one", "sql", "UPDATE note SET text='again'").code == 0)
    #expect(try place.tool("one", "sync").code == 0)
    try place.delete(try #require(place.files("2.log").first))
    let run = try place.tool("two", "sync")
    #expect(run.code == 7 && run.output.contains("was not read to its end: its log 2 of 2 is not there yet"))
  }

  @Test func sevenForAParkedRecordAndStatusCountsIt() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    let schema = place.path + "/strict.json"
    let text = """
      {"name": "org.example.strict", "tables": [{"name": "tag", "key": ["id"], "columns": [
        {"name": "id", "type": "text"}, {"name": "name", "type": "text", "unique": true}]}]}
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: schema))
    let remote = place.path + "/strict"
    #expect(try place.tool("a", "attach", remote, "--schema", schema, "--new").code == 0)
    #expect(try place.tool("b", "attach", remote, "--schema", schema).code == 0)
    for device in ["a", "b"] {
      #expect(try place.tool(device, "sql", "INSERT INTO tag VALUES('\(device)','same')").code == 0)
    }
    #expect(try place.tool("a", "sync").code == 0)
    let run = try place.tool("b", "sync")
    #expect(run.code == 7 && run.output.contains("1 parked by a constraint"))
    let status = try place.tool("b", "status")
    #expect(status.code == 7 && status.output.contains("Parked by a constraint: 1."))
    #expect(try place.tool("b", "check").code == 0)
  }

  @Test func eightForDamage() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    #expect(try place.tool("one", "sync").code == 0)
    let head = try #require(place.files("head.bin").first)
    try place.put([UInt8](repeating: 1, count: 1024), at: head)
    let run = try place.tool("one", "check")
    #expect(run.code == 8 && run.output.contains(head))
  }

  static var canMount: Bool {
    (try? ChildProcess.run("/usr/bin/unshare", ["-rm", "/bin/sh", "-c", "mount -t tmpfs x /mnt"]).code) == 0
  }
}

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
    try place.fill("one")
    let first = try place.start("one", "sync")
    while try !place.isLocked("one", by: first), first.isRunning { usleep(200) }
    first.signal(SIGSTOP)
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

/// What `sync` shows while it runs and at its end.
@Suite struct SyncOutputTests {
  @Test func aTerminalSeesABarThatIsGoneAtTheEnd() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    let run = await place.run("one", "sync", isTerminal: true)
    #expect(run.errors.contains("Looking at the remote"))
    #expect(run.errors.hasSuffix("\r\u{1B}[K"))
    #expect(run.output.hasPrefix("Sent 0, received 0 ("))
    #expect(await place.run("one", "sync", "--json", isTerminal: true).errors == "")
    #expect(await place.run("one", "sync").errors == "")
  }

  @Test func costNoticesAndGapsAreTold() throws {
    var report = SyncReport()
    report.sent = 2
    report.conflicts = 1
    (report.requests, report.bytesRead, report.bytesWritten) = (1, 2048, 12)
    report.notices = [SyncNotice(.clockAhead, nil, "The clock is \u{1B}[31m ahead.")]
    let output = SyncOutput(report: report)
    #expect(
      output.text == """
        Sent 2, received 0, 1 overruled (1 request, 2.0 KiB down, 12 bytes up).
          note: The clock is \u{FFFD}[31m ahead.

        """)
    let object = try JSONSerialization.jsonObject(with: Data(output.json.line.utf8)) as? [String: Any]
    #expect(object?["requests"] as? Int == 1 && object?["bytesRead"] as? Int == 2048)
    let notices = object?["notices"] as? [[String: Any]]
    #expect(notices?.first?["code"] as? String == "clockAhead" && notices?.first?["device"] is NSNull)
  }

  @Test func timesAreShownInTheZoneOfTheUser() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    #expect(await place.sync("one") == [.success])
    let run = try place.shell("TZ=XYZ-3 exec \"$0\" status \"$1\"", "one")
    #expect(run.output.contains(" XYZ.\n"), "\(run)")
  }

  @Test func statusNamesPeersAndTheTimeOfTheLastSync() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    #expect(await place.run("one", "status").output.contains("Never synced."))
    #expect(await place.run("two", "sql", "INSERT INTO note VALUES('a','b',NULL)").code == .success)
    #expect(await place.sync("two", "one") == [.success, .success])
    let status = await place.run("one", "status").output
    #expect(status.contains("\nLast synced: 20") && status.contains("\n  two, "))
    #expect(status.contains(": read 1 of 1 logs; last seen 20"))
    let json = await place.run("one", "status", "--json").output
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let peer = (object?["peers"] as? [[String: Any]])?.first
    #expect(peer?["name"] as? String == "two" && peer?["logsRead"] as? Int == 1)
  }
}
