import Foundation
import Testing
import TributaryModel

@testable import Tributary
@testable import TributaryTool

/// What the watcher does and tells, on a scripted machine without any waiting.
@Suite struct WatcherTests {
  @Test func itSyncsAtTheStartThenOnChangesThenOnlyNowAndThen() async throws {
    let machine = ScriptedWatch(until: .seconds(700))
    machine.at(20, .database)
    machine.at(20.4, .database)
    machine.at(40, .remote)
    try await machine.run()
    #expect(machine.syncs == [0, 21.4, 41, 341, 641])
  }

  @Test func whatItWritesItselfDoesNotWakeIt() async throws {
    let machine = ScriptedWatch(until: .seconds(200))
    machine.writesAtEachSync()
    machine.at(100, .remote)
    try await machine.run()
    #expect(machine.syncs == [0, 101])
  }

  @Test func anEditThatCameTooLateForASyncIsSyncedByTheNext() async throws {
    let machine = ScriptedWatch(until: .seconds(100))
    machine.leavesUnsent(WaitingEdits(writes: 1), WaitingEdits(writes: 0))
    try await machine.run()
    #expect(machine.syncs == [0, 1])
  }

  @Test func editsThatWaitForABetterClockAreLeftToWait() async throws {
    let machine = ScriptedWatch(until: .seconds(100))
    machine.leavesUnsent(WaitingEdits(writes: 3))
    machine.writesAtEachSync()
    try await machine.run()
    #expect(machine.syncs == [0, 1])
  }

  @Test func lostNotificationsCountAsAChangeThoughNothingShows() async throws {
    let machine = ScriptedWatch(until: .seconds(100))
    machine.at(50, .lost)
    try await machine.run()
    #expect(machine.syncs == [0, 51])
  }

  @Test func soonAfterSleepItSyncs() async throws {
    let machine = ScriptedWatch(until: .seconds(200))
    // The first wait is before the first sync, the third ends at 30.
    machine.sleeps(100, afterWaits: 3)
    try await machine.run()
    #expect(machine.syncs == [0, 131])
  }

  @Test func anErrorIsToldOnceAndItsEndToo() async throws {
    let machine = ScriptedWatch(until: .seconds(100))
    let gone = ToolError(.remoteUnavailable, "there is no folder /remote", remedy: "Mount it.")
    var report = SyncReport()
    report.sent = 2
    machine.syncsEnd(.error(gone), .error(gone), .error(gone), .report(report))
    try await machine.run()
    #expect(machine.syncs == [0, 5, 15, 35])
    #expect(machine.errors.text.components(separatedBy: "there is no folder").count == 2)
    let lines = machine.output.text.split(separator: "\n")
    #expect(lines.count == 3 && lines[0].hasSuffix("Watching /a.db and /remote."))
    #expect(lines[1].hasSuffix("It works again.") && lines[2].contains("  Sent 2, received 0 ("))
  }

  @Test func aFolderThatReturnsEndsTheWait() async throws {
    let machine = ScriptedWatch(until: .seconds(100))
    let gone = ToolError(.remoteUnavailable, "gone")
    machine.syncsEnd(.error(gone), .error(gone), .error(gone), .error(gone))
    machine.at(40, [.remote, .returned])
    try await machine.run()
    #expect(machine.syncs == [0, 5, 15, 35, 41])
  }

  @Test func anotherSyncIsNoErrorUntilItLastsForAMinute() async throws {
    let busy = ToolError(.busy, "Another sync is running.")
    let machine = ScriptedWatch(until: .seconds(60))
    machine.syncsEnd(.error(busy), .error(busy), .error(busy), .report(SyncReport()))
    try await machine.run()
    #expect(machine.errors.text == "" && machine.syncs == [0, 5, 15, 35])
    let stuck = ScriptedWatch(until: .seconds(130))
    stuck.syncsEnd(.error(busy), .error(busy), .error(busy), .error(busy), .error(busy), .error(busy))
    try await stuck.run()
    #expect(stuck.errors.text.components(separatedBy: "Another sync is running.").count == 2)
  }

  @Test func withoutNotificationsItSaysSoAndLooksByItself() async throws {
    let machine = ScriptedWatch(until: .seconds(100))
    machine.hasNoNotifications("no watches are left")
    machine.at(50, .database)
    try await machine.run()
    #expect(machine.output.text.contains("(no watches are left): now looking every few seconds."))
    #expect(machine.syncs == [0, 51])
  }

  @Test func askedToStopInTheMiddleOfASyncItEndsWithoutAnError() async throws {
    let machine = ScriptedWatch(until: .seconds(100))
    machine.syncsEnd(.interrupted)
    try await machine.run()
    #expect(machine.errors.text == "" && machine.syncs == [0])
  }

  @Test func programsGetOneObjectForEachSyncAndEvent() async throws {
    let machine = ScriptedWatch(until: .seconds(20))
    machine.syncsEnd(.error(ToolError(.remoteFull, "full", remedy: "Make room.")), .report(SyncReport()))
    try await machine.run(isJSON: true)
    let lines = try machine.output.text.split(separator: "\n").map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(lines.map { $0["event"] as? String } == ["watching", "error", "recovered", "sync", "stopped"])
    #expect(lines.allSatisfy { $0["milliseconds"] as? Int == 1_772_370_202_000 })
    #expect(lines[1]["code"] as? Int == 6 && lines[1]["remedy"] as? String == "Make room.")
    #expect(lines[3]["sent"] as? Int == 0 && lines[3]["notices"] != nil)
    #expect(machine.errors.text == "")
  }

  @Test func whatStaysTheSameIsNoNews() {
    var report = SyncReport()
    #expect(!report.isNews(after: nil))
    report.held = 1
    report.notices = [SyncNotice(.clockAhead, nil, "ahead")]
    #expect(report.isNews(after: nil) && !report.isNews(after: report))
    var next = report
    next.received = 1
    #expect(next.isNews(after: report))
  }
}
