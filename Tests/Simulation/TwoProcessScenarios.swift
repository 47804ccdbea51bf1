import Foundation
import TestSupport
import Testing
import TributaryModel
import TributaryStore

@testable import Tributary

/// An app that writes while another process of the same device syncs its database.
struct TwoProcessScenarios {
  @Test func anEditThatIsCommittedWhileLogsAreSealedIsSentByTheNextSync() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    let b = try crew.join("b")
    try crew.edit(a, "INSERT INTO list(id,name) VALUES('l1','first')")
    let app = try OtherProcess(of: a, crew.world)
    crew.world.act(at: "seal", of: "a") { try app.write("INSERT INTO list(id,name) VALUES('l2','second')") }
    #expect(try a.sync().sent >= 1)
    _ = try a.sync()
    _ = try b.sync()
    #expect(try b.rows()["list"]?.count == 2)
    #expect(try b.canonical() == a.canonical())
  }

  @Test func aDeleteThatIsCommittedWhileLogsAreSealedLeavesEveryDeviceTheSameTrash() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    let b = try crew.join("b")
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l1','first')")
    try crew.edit(a, "UPDATE list SET name='second'")
    let app = try OtherProcess(of: a, crew.world)
    crew.world.act(at: "seal", of: "a") { try app.write("DELETE FROM list") }
    _ = try a.sync()
    _ = try a.sync()
    _ = try b.sync()
    #expect(try b.rows()["list"]?.isEmpty == true)
    #expect(try b.canonical() == a.canonical())
  }

  @Test func aFieldThatAnotherProcessMetFirstIsKept() throws {
    let crew = try Crew()
    let newer = Schema(
      "com.example.simulated",
      tables: Workload.schema.tables.map { table in
        guard table.name == "list" else { return table }
        return Table("list", key: "id", columns: [.text("name"), .text("color").orNull])
      })
    let a = try crew.join("a")
    let c = try crew.join("c", schema: newer)
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l1','first')")
    _ = try c.sync()
    _ = try a.sync()
    try crew.send(c, "UPDATE list SET color='red'")
    _ = try crew.process(of: a).sync()
    try crew.send(c, "UPDATE list SET name='second'")
    _ = try a.sync()
    #expect(try a.canonical() == c.canonical())
  }

  @Test func whatIsParkedIsReportedByASyncThatReadsNothing() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    let b = try crew.join("b")
    try crew.edit(a, "INSERT INTO guest(id,badge) VALUES('g1','same')")
    try crew.edit(b, "INSERT INTO guest(id,badge) VALUES('g2','same')")
    for device in [a, b, a] { _ = try device.sync() }
    #expect(try a.sync().parked == 1)
    #expect(try b.sync().parked == 1)
  }

  /// The engine looks for unsettled edits, finds none, and waits for the app's transaction to end.
  @Test func anEditThatIsCommittedWhileARunWaitsToBeAppliedIsNotOverwritten() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    let b = try crew.join("b")
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l1','first')")
    _ = try b.sync()
    try crew.send(b, "UPDATE list SET name='from b'")
    crew.world.advance(10)
    let app = try OtherProcess(of: a, crew.world)
    crew.world.act(at: "apply \(b.device) 1", of: "a") {
      try app.writeSlowly("UPDATE list SET name='later, from a'")
    }
    _ = try a.sync()
    try app.end()
    for device in [a, b, a] { _ = try device.sync() }
    #expect(try a.rows()["list"]?.first?[1] == .text("later, from a"))
    #expect(try b.canonical() == a.canonical())
  }
}

/// Another process with the same database open: a second store over the same file.
private final class OtherProcess: Sendable {
  private let path: String
  private let world: SimulatedWorld
  private let ended = DispatchSemaphore(value: 0)

  init(of device: SimulatedDevice, _ world: SimulatedWorld) throws {
    path = device.path
    self.world = world
  }

  func write(_ sql: String, _ whileOpen: () -> Void = {}) throws {
    let store = try Workload.open(path) { [world] in world.now }
    defer { store.close() }
    try store.write {
      try $0.execute(sql)
      whileOpen()
    }
  }

  /// Returns in the middle of the transaction, which is committed a moment later.
  func writeSlowly(_ sql: String) throws {
    let begun = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [self] in
      try? write(sql) {
        begun.signal()
        Thread.sleep(forTimeInterval: 0.5)
      }
      ended.signal()
    }
    begun.wait()
  }

  func end() throws { ended.wait() }
}
