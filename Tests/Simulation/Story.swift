import TestSupport
import Testing
import TributaryModel
import TributaryRemotes
import TributaryStore
import TributaryTesting

@testable import Tributary

/// A short history that is told step by step, over a remote without faults, and judged like every run.
final class Story {
  let run: SimulatedRun

  init(_ names: String..., kind: FleetKind = .declared) throws {
    run = try SimulatedRun(seed: 0, names, kind)
  }

  /// One transaction. It must be one that the tables take.
  func write(_ name: String, _ statements: String...) throws {
    run.world.advance(5)
    try run.perform(.edit(statements.map { Statement($0) }), on: run.device(name))
    let outcome = run.history.steps.last?.outcome
    if outcome != "committed" { throw Stopped(step: "\(name): \(statements): \(outcome ?? "")") }
  }

  /// One transaction of another program. It must be one that the tables take.
  func foreign(_ name: String, _ statements: String...) throws {
    run.world.advance(5)
    let statements = statements.map { Statement($0) }
    try run.perform(.foreign(statements, ForeignApp.Habits()), on: run.device(name))
    let outcome = run.history.steps.last?.outcome
    if outcome != "committed" { throw Stopped(step: "\(name): \(statements): \(outcome ?? "")") }
  }

  /// The app of an adopted database does this to its tables, with the database closed and foreign keys off.
  func migrate(_ name: String, _ sql: String, isPaused: Bool = false) throws {
    run.world.advance(5)
    try run.perform(.migrate(.sql(sql, isPaused: isPaused)), on: run.device(name))
  }

  /// Each of the devices syncs, in this order.
  func sync(_ names: String...) throws {
    for name in names {
      run.world.advance(5)
      try run.perform(.sync(), on: run.device(name))
    }
  }

  /// A sync that ends at its nth step, where the device starts again.
  func stop(_ name: String, at step: Int) throws {
    run.world.advance(5)
    try run.perform(.sync(stopAfter: step), on: run.device(name))
  }

  func pass(_ milliseconds: Int64) { run.world.advance(milliseconds) }

  /// While `body` runs, nobody finds the logs of a device.
  func withoutLogs(of name: String, _ body: () throws -> Void) throws {
    let device = try run.device(name).device
    let logs = run.remote.contents.filter { $0.key.device == device && $0.key.isLog }
    for (name, _) in logs { run.remote.plant(name, nil) }
    try body()
    for (name, bytes) in logs { run.remote.plant(name, bytes) }
  }

  func rows(_ name: String, _ sql: String) throws -> [[Value]] {
    try run.device(name).store.read { try $0.rows(sql).map(\.values) }
  }

  /// Everything reaches everyone, and every check holds; then all devices show these rows.
  func end(_ sql: String? = nil, _ expected: [[Value]] = []) throws {
    try run.settleDown()
    if let failure = try run.failure() { Issue.record("\(failure)") }
    guard let sql else { return }
    for device in run.devices {
      let found = try device.store.read { try $0.rows(sql).map(\.values) }
      #expect(found == expected, "\(device.name)")
    }
  }
}

extension RemoteName {
  fileprivate var isLog: Bool { path.hasSuffix(".log") }
}
