import SQLite
import TestSupport
import Testing
import TributaryModel
import TributaryStore

@testable import Tributary

/// Triggers of one device's app that stand in the way of what others wrote.
struct TriggerScenarios {
  @Test func aRowThatATriggerDropsIsParkedAndKeptInTheState() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    let b = try crew.join("b")
    try b.makeTrigger("BEFORE INSERT ON list WHEN new.name='odd' BEGIN SELECT RAISE(IGNORE); END")
    try crew.edit(a, "INSERT INTO list(id,name) VALUES('l1','odd')")
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l2','even')")
    #expect(try b.sync().parked == 1)
    #expect(try b.rows()["list"]?.count == 1)
    #expect(try b.canonical() == a.canonical())
    try crew.send(a, "UPDATE list SET name='better' WHERE id='l1'")
    #expect(try b.sync().parked == 0)
    #expect(try b.rows() == a.rows())
  }

  /// What came before and after the rollback must not stay.
  @Test func aTriggerThatRollsBackStopsTheSyncAndLeavesNothingBehind() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    let b = try crew.join("b")
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l0','before')")
    _ = try b.sync()
    try b.makeTrigger(
      "BEFORE INSERT ON list WHEN new.name='odd' BEGIN SELECT RAISE(ROLLBACK,'no odd ones'); END")
    for number in 1...3 { try crew.edit(a, "INSERT INTO list(id,name) VALUES('l\(number)','even')") }
    try crew.edit(a, "UPDATE list SET name='odd' WHERE id='l2'")
    _ = try a.sync()
    let before = (try b.canonical(), try b.rows(), try b.store.cursors())
    #expect(throws: DatabaseError.self) { try b.sync() }
    #expect(try b.canonical() == before.0)
    #expect(try b.rows() == before.1)
    #expect(try b.store.cursors() == before.2)
    try b.dropTrigger()
    #expect(try b.sync().gaps.isEmpty)
    #expect(try b.canonical() == a.canonical())
    #expect(try b.rows() == a.rows())
  }
}

extension SimulatedDevice {
  fileprivate func makeTrigger(_ rest: String) throws { try change("CREATE TRIGGER odd \(rest)") }
  fileprivate func dropTrigger() throws { try change("DROP TRIGGER odd") }

  private func change(_ sql: String) throws {
    let connection = try Connection.open(path)
    defer { connection.close() }
    try connection.execute(sql)
  }
}
