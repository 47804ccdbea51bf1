import TestSupport
import Testing
import TributaryModel
import TributaryTesting

@testable import Tributary

/// A copy of a database that compacts before it has ever synced: it has an id of its own from then on, and does not know
/// yet what its former one has sent.
struct CompactedCopyTests {
  /// The copy's later seat is told by the stamp that it got in the compaction, and is no edit of the other copy's.
  @Test func whatACompactionStampedAnewIsFollowed() throws {
    let story = try Story("A", "B")
    try story.write("A", "INSERT INTO guest(id,badge) VALUES('g','before')")
    try story.run.perform(.copy(as: "C"), on: story.run.device("A"))
    try story.write(
      "A", "UPDATE guest SET badge='of the original'", "INSERT INTO seat(id,line) VALUES('x','earlier')")
    try story.write("C", "INSERT INTO seat(id,line) VALUES('x','later')")
    try story.run.perform(.compact(), on: story.run.device("C"))
    try story.run.perform(.copy(as: "D"), on: story.run.device("A"))
    try story.sync("A", "C", "D")
    try story.end("SELECT line,badge FROM seat,guest", [["later", "of the original"]])
  }

  @Test(arguments: [true, false])
  func itSendsWhatItWroteAndNothingThatItsOriginalHasSent(originalIsFirst: Bool) throws {
    let fleet = try IdentityFleet()
    let copy = try Self.compactedCopy(fleet)
    if originalIsFirst { try fleet.sync(fleet.a) }
    try fleet.edit(copy, "UPDATE secret SET note='mine' WHERE id='s1'")
    // Nobody else can send what its original may never send.
    #expect(try fleet.sync(copy).sent == (originalIsFirst ? 1 : 2))
    try fleet.expectSame([fleet.a, copy, fleet.b])
    #expect(try fleet.b.value("SELECT group_concat(note) FROM secret") == .text("mine"))
    #expect(try fleet.b.rows()["list"]?.count == 1)
  }

  @Test func aCopyOfItReadsBothFormerDirectories() throws {
    let fleet = try IdentityFleet()
    let copy = try Self.compactedCopy(fleet)
    try fleet.edit(copy, "INSERT INTO list(id,name) VALUES('l2','of the copy')")
    let second = try fleet.copy(copy, as: "second")
    try second.compact()
    #expect(Set([fleet.a, copy, second].map(\.device)).count == 3)
    try fleet.edit(second, "INSERT INTO list(id,name) VALUES('l3','of the second')")
    #expect(try fleet.sync(fleet.a).sent == 2)
    #expect(try fleet.sync(copy).sent == 1)
    #expect(try fleet.sync(second).sent == 1)
    try fleet.expectSame([fleet.a, copy, second, fleet.b])
    #expect(try fleet.b.value("SELECT group_concat(id) FROM list") == .text("l1,l2,l3"))
  }

  @Test(arguments: [true, false])
  func aRestoreOfItReadsBothFormerDirectories(restoreCompacts: Bool) throws {
    let fleet = try IdentityFleet()
    let copy = try Self.compactedCopy(fleet)
    try fleet.edit(copy, "INSERT INTO list(id,name) VALUES('l2','saved')")
    let saved = try fleet.save(copy, as: "saved")
    try fleet.edit(copy, "INSERT INTO list(id,name) VALUES('l3','after')")
    #expect(try fleet.sync(fleet.a).sent == 2)
    #expect(try fleet.sync(copy).sent == 2)
    let id = copy.device
    try fleet.restore(copy, from: saved)
    if restoreCompacts { try copy.compact() }
    try fleet.edit(copy, "INSERT INTO list(id,name) VALUES('l4','now')")
    #expect(try fleet.sync(copy).sent == 1)
    #expect(copy.device != id)
    try fleet.expectSame([fleet.a, copy, fleet.b])
    #expect(try fleet.b.value("SELECT group_concat(id) FROM list") == .text("l1,l2,l3,l4"))
  }

  /// A copy with a list and a secret that its original has not sent yet either.
  private static func compactedCopy(_ fleet: IdentityFleet) throws -> SimulatedDevice {
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l1','unsent')")
    try fleet.edit(fleet.a, "INSERT INTO secret(id,value) VALUES('s1','unsent')")
    let copy = try fleet.copy(fleet.a, as: "copy")
    try copy.compact()
    #expect(copy.device != fleet.a.device)
    return copy
  }
}
