import Testing
import TributaryModel
import TributaryStore

@testable import Tributary

/// Who is told of a value that lost.
struct ConflictScenarios {
  @Test func bothSidesAreToldOfAConcurrentEdit() throws {
    let (crew, a, b) = try pair()
    try crew.edit(b, "UPDATE list SET name='from b'")
    try crew.edit(a, "UPDATE list SET name='from a'")
    #expect(try b.sync().conflicts == 0)
    // What a reads now it did not know when it made its edit.
    #expect(try a.sync().conflicts == 1)
    #expect(try b.sync().conflicts == 1)
    #expect(try b.rows() == a.rows())
    #expect(try b.rows()["list"]?.first?[1] == .text("from a"))
  }

  @Test func anEditOfWhatWasReadIsNoConflict() throws {
    let (crew, a, b) = try pair()
    try crew.send(b, "UPDATE list SET name='from b'")
    #expect(try a.sync().conflicts == 0)
    try crew.send(a, "UPDATE list SET name='from a'")
    #expect(try b.sync().conflicts == 0)
  }

  @Test func aThirdDeviceCanTellConcurrentFromLater() throws {
    let (crew, a, b) = try pair()
    let c = try crew.join("c")
    _ = try c.sync()
    try crew.edit(b, "UPDATE list SET name='from b'")
    try crew.edit(a, "UPDATE list SET name='from a'")
    for device in [b, a] { _ = try device.sync() }
    #expect(try c.sync().conflicts == 1)
    try crew.send(b, "UPDATE list SET name='later, knowing both'")
    // b had not read the edit of a when it made this one.
    #expect(try c.sync().conflicts == 1)
    _ = try a.sync()
    try crew.send(a, "UPDATE list SET name='the last'")
    #expect(try c.sync().conflicts == 0)
  }

  @Test func anUploadThatFailedDoesNotMakeOldEditsKnowWhatWasReadSince() throws {
    let (crew, a, b) = try pair()
    try crew.edit(b, "UPDATE list SET name='from b'")
    try crew.edit(a, "UPDATE list SET name='from a'")
    _ = try b.sync()
    for stop in 1..<6 {
      crew.world.stop(after: stop)
      _ = try? a.sync()
      crew.world.stop(after: nil)
      try a.restart()
    }
    _ = try a.sync()
    #expect(try b.sync().conflicts == 1)
  }

  private func pair() throws -> (Crew, SimulatedDevice, SimulatedDevice) {
    let crew = try Crew()
    let a = try crew.join("a")
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l1','one')")
    let b = try crew.join("b")
    _ = try b.sync()
    return (crew, a, b)
  }
}
