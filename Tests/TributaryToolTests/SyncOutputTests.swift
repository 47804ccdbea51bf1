import Foundation
import Testing

@testable import Tributary
@testable import TributaryTool

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
