import Foundation
import Testing

@testable import TributaryTool

/// The built tool with `--watch`, as processes on real files.
@Suite struct WatchProcessTests {
  @Test func anEditOnOneDeviceArrivesAtAnotherByItself() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    let watchers = try [place.watch("one"), place.watch("two")]
    defer { for watcher in watchers { watcher.stop() } }
    for count in 1...3 {
      #expect(try place.tool("one", "sql", "INSERT INTO note VALUES('k\(count)','text',NULL)").code == 0)
      #expect(try await eventually { try place.count("two") == count }, "\(watchers.map(\.told))")
    }
    #expect(try place.tool("two", "sql", "DELETE FROM note WHERE id='k1'").code == 0)
    #expect(try await eventually { try place.count("one") == 2 })
    for watcher in watchers { #expect(try await watcher.end().code == 0) }
  }

  @Test func whatTheWatchersWriteThemselvesComesToRest() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    let watchers = try [place.watch("one"), place.watch("two")]
    defer { for watcher in watchers { watcher.stop() } }
    #expect(try place.tool("one", "sql", "INSERT INTO note VALUES('k','text',NULL)").code == 0)
    #expect(try await eventually { try place.count("two") == 1 })
    // At rest there are no syncs for longer than it takes to notice a change; under load that takes longer.
    #expect(
      try await eventually {
        let before = watchers.map { $0.events("sync") }
        try await Task.sleep(for: .seconds(4))
        return watchers.map { $0.events("sync") } == before
      })
    for watcher in watchers { #expect(watcher.events("sync") < 15, "\(watcher.told)") }
  }

  @Test func aPoliteKillEndsItAtOnceWithSuccess() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    for signal in [SIGTERM, SIGINT] {
      let watcher = try place.watch("one")
      defer { watcher.stop() }
      #expect(try await eventually { watcher.events("sync") > 0 }, "\(watcher.told)")
      // It waits by now, or is about to.
      try await Task.sleep(for: .milliseconds(200))
      let asked = Machinery.wallClock()
      let run = try await watcher.end(signal)
      #expect(run.code == 0 && watcher.events("stopped") == 1, "\(run) \(watcher.told)")
      #expect(watcher.moment(ofLast: "stopped") - asked < 5_000)
    }
  }

  @Test func aFolderThatIsAwayIsToldOnceAndWaitedFor() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    let watcher = try place.watch("two")
    defer { watcher.stop() }
    #expect(try await eventually { watcher.events("sync") > 0 })
    try place.move(place.remote, to: place.path + "/away")
    #expect(try await eventually { watcher.events("error") == 1 }, "\(watcher.told)")
    try await Task.sleep(for: .seconds(1))
    try place.move(place.path + "/away", to: place.remote)
    #expect(try await eventually { watcher.events("recovered") == 1 }, "\(watcher.told)")
    #expect(try place.tool("one", "sql", "INSERT INTO note VALUES('k','text',NULL)").code == 0)
    #expect(try place.tool("one", "sync").code == 0)
    #expect(try await eventually { try place.count("two") == 1 }, "\(watcher.told)")
    #expect(watcher.events("error") == 1)
  }

  @Test func aDatabaseThatIsAwayIsWaitedForAndNeverMadeAnew() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    let watcher = try place.watch("one", every: 10)
    defer { watcher.stop() }
    #expect(try await eventually { watcher.events("sync") > 0 })
    try place.move(place.database("one"), to: place.path + "/away.db")
    #expect(try await eventually { watcher.events("error") == 1 }, "\(watcher.told)")
    try await Task.sleep(for: .seconds(1))
    #expect(!FileManager.default.fileExists(atPath: place.database("one")))
    try place.move(place.path + "/away.db", to: place.database("one"))
    #expect(try await eventually { watcher.events("recovered") == 1 }, "\(watcher.told)")
  }

  @Test func aDatabaseHasOneWatcher() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    let watcher = try place.watch("one")
    defer { watcher.stop() }
    #expect(try await eventually { watcher.events("sync") > 0 })
    let other = try place.start("one", "sync", "--watch")
    #expect(try await eventually { !other.isRunning })
    if other.isRunning { other.signal(SIGKILL) }
    let second = other.finish()
    #expect(second.code == 75 && second.errors.contains("is being watched already"), "\(second)")
    #expect(second.errors.contains("process \(watcher.process.id)"))
    #expect(try place.tool("one", "sync").code == 0)
  }

  @Test func whatCannotBeWatchedIsRefusedAtTheStart() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    #expect(try place.tool("none", "sync", "--watch").code == 3)
    #expect(!FileManager.default.fileExists(atPath: place.database("none")))
    #expect(try place.tool("one", "sync", "--watch", "--every", "9").code == 2)
    #expect(try place.tool("one", "sync", "--watch", "--every", "1e3").code == 2)
    #expect(try place.tool("one", "sync", "--every", "60").code == 2)
  }
}

/// Waits long enough for a machine under load, and no longer than needed.
func eventually(_ isSo: () async throws -> Bool) async throws -> Bool {
  let end = ContinuousClock.now + .seconds(90)
  while true {
    // Looked at once more after the end: the sleep may have been a long one.
    let isOver = ContinuousClock.now >= end
    if try await isSo() { return true }
    if isOver { return false }
    try await Task.sleep(for: .milliseconds(100))
  }
}

/// A tool that watches, and the file that it writes to.
private struct RunningWatcher {
  let process: RunningProcess
  let log: String

  /// What it has told so far.
  var told: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

  func events(_ name: String) -> Int { told.components(separatedBy: "{\"event\":\"\(name)\"").count - 1 }

  /// When the last event of that name was told, in milliseconds since 1970.
  func moment(ofLast name: String) -> Int64 {
    let line = told.split(separator: "\n").last { $0.hasPrefix("{\"event\":\"\(name)\"") }
    let rest = line?.components(separatedBy: "\"milliseconds\":").last?.prefix { $0.isNumber }
    return rest.flatMap { Int64($0) } ?? .max / 2
  }

  func end(_ signal: Int32 = SIGTERM) async throws -> ChildProcess {
    process.signal(signal)
    #expect(try await eventually { !process.isRunning })
    return process.finish()
  }

  /// However the test went.
  func stop() {
    if process.isRunning { process.signal(SIGKILL) }
  }
}

extension Place {
  fileprivate func watch(_ device: String, every seconds: Int = 300) throws -> RunningWatcher {
    let log = "\(path)/\(device)-\(UUID().uuidString).jsonl"
    let script = "exec \"$0\" sync \"$1\" --watch --json --every \(seconds) > '\(log)'"
    return RunningWatcher(process: try startShell(script, device), log: log)
  }

  fileprivate func count(_ device: String) throws -> Int {
    let run = try tool(device, "sql", "SELECT count(*) FROM note")
    guard run.code == 0 else { throw ToolError(.failure, run.errors) }
    return Int(run.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
  }
}
