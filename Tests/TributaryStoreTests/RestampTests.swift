import TestSupport
import Testing
import TributaryModel

@testable import TributaryStore

/// Unsent edits under other stamps: nothing but the stamps changes.
struct RestampTests {
  private static let former = DeviceID(high: 1, low: 1)
  private static let own = DeviceID(high: 2, low: 2)
  private static let peer = DeviceID(high: 3, low: 3)

  private static func toOwn(_ stamp: Stamp) -> Stamp { Stamp(stamp.moment, own) }

  @Test func onlyUnsentEditsMoveToTheNewId() throws {
    let place = try RestampPlace()
    try place.write("INSERT INTO list(id,name) VALUES('l1','sealed')")
    try place.seal(as: Self.former)
    try place.write("INSERT INTO list(id,name) VALUES('l2','unsent')")
    try place.write("UPDATE list SET name='changed' WHERE id='l1'")
    try place.restamp(from: Self.former, Self.toOwn)
    let first = try place.state("list", "l1")
    #expect(first.born?.device == Self.former && first["name"]?.stamp?.device == Self.own)
    let second = try place.state("list", "l2")
    #expect(second.born?.device == Self.own && second["name"]?.stamp?.device == Self.own)
    #expect(try place.store.unsentEdits(of: Self.own).count == 2)
    #expect(try place.store.unsentEdits(of: Self.former).isEmpty)
  }

  @Test func rowsTrashRepairsAndDeletesStayAsTheyWere() throws {
    let place = try RestampPlace()
    try place.write("INSERT INTO list(id,name) VALUES('l1','x'),('l2','y')")
    try place.write("INSERT INTO item(id,title,code,list) VALUES('i1','t','c','l1'),('i2','u',NULL,'l2')")
    // A peer's later claim to the unique value leaves the own record repaired; another one is parked.
    try place.merge(
      "item", "i3", at: 50, ["title": "v", "code": "c", "list": "l1"], by: Self.peer)
    try place.merge("item", "i4", at: 60, ["title": "w", "list": "missing"], by: Self.peer)
    try place.write("UPDATE item SET due='d' WHERE id='i1'")
    try place.write("DELETE FROM list WHERE id='l2'")
    try place.store.settle(as: Self.former)
    let rows = try place.rows()
    let before = try place.everything()
    try place.restamp(from: Self.former, Self.toOwn)
    #expect(try place.rows() == rows)
    let after = try place.everything()
    #expect(
      after.map { $0.change.restamped { Stamp($0.moment, Self.peer) } }
        == before.map { $0.change.restamped { Stamp($0.moment, Self.peer) } })
    #expect(!after.flatMap(\.stamps).contains { $0.device == Self.former })
    // Projecting all of it anew changes nothing.
    _ = try place.store.engineWrite { try place.store.apply(after) { _, _ in false } }
    #expect(try place.rows() == rows)
  }

  @Test func aLifeMovesWithTheBirthThatItNames() throws {
    let place = try RestampPlace()
    try place.write("INSERT INTO secret(id,value) VALUES('s1','a')")
    try place.seal(as: Self.former)
    try place.write("UPDATE secret SET value='b' WHERE id='s1'")
    try place.write("INSERT INTO secret(id,value) VALUES('s2','c')")
    try place.write("UPDATE secret SET value='d' WHERE id='s2'")
    try place.restamp(from: Self.former, Self.toOwn)
    let first = try place.state("secret", "s1")
    #expect(first["value"]?.register?.life == first.born && first.born?.device == Self.former)
    let second = try place.state("secret", "s2")
    #expect(second["value"]?.register?.life == second.born && second.born?.device == Self.own)
  }

  @Test func theNextEditFollowsTheLatestNewMoment() throws {
    let place = try RestampPlace()
    place.clock.now += 3_600_000
    try place.write("INSERT INTO list(id,name) VALUES('l1','a')")
    try place.write("UPDATE list SET name='b' WHERE id='l1'")
    place.clock.now -= 3_600_000
    try place.store.settle(as: Self.former)
    let moments = try place.store.unsentMoments()
    // A second ahead, so that the wall clock does not decide.
    var latest = Moment(milliseconds: place.clock.now + 1_000)
    var renewed: [Moment: Moment] = [:]
    for moment in moments {
      latest = latest.next
      renewed[moment] = latest
    }
    let map = renewed
    try place.restamp(from: Self.former) { Stamp(map[$0.moment] ?? $0.moment, $0.device) }
    #expect(try place.store.unsentMoments() == moments.compactMap { map[$0] })
    try place.write("UPDATE list SET name='c' WHERE id='l1'")
    #expect(try place.store.unsentMoments().last == latest.next)
    let state = try place.state("list", "l1")
    #expect(state.born == Stamp(map[moments[0]] ?? latest, Self.former))
    #expect(state["name"]?.stamp == Stamp(latest.next, Self.former))
  }

  @Test func anEditThatTheFormerIdHasSentGoesBackToIt() throws {
    let place = try RestampPlace()
    try place.write("INSERT INTO secret(id,value) VALUES('s1','a')")
    try place.store.settle(as: Self.former)
    let sent = try place.everything()
    try place.restamp(from: Self.former, Self.toOwn)
    try place.write("UPDATE secret SET note='n' WHERE id='s1'")
    try place.receive(sent, formers: [Self.former], own: Self.own)
    let state = try place.state("secret", "s1")
    #expect(state.born?.device == Self.former && state["value"]?.stamp?.device == Self.former)
    #expect(state["note"]?.stamp?.device == Self.own && state["note"]?.register?.life == state.born)
    let unsent = try place.store.unsentEdits(of: Self.own)
    #expect(unsent.count == 1 && unsent.first?.change.fields.map(\.name) == ["note"])
  }

  @Test func twoEditsOfOneMomentAreToldApartByTheirValues() throws {
    let place = try RestampPlace()
    try place.write("INSERT INTO list(id,name) VALUES('l1','mine')")
    try place.store.settle(as: Self.former)
    let other = try place.everything().map { entry in
      var entry = entry
      if let stamp = entry.change.born {
        entry.change["name"] = Field("name", Register(stamp: stamp, value: .text("theirs")))
      }
      return entry
    }
    try place.restamp(from: Self.former, Self.toOwn)
    try place.receive(other, formers: [Self.former], own: Self.own)
    let unsent = try place.store.unsentEdits(of: Self.own)
    #expect(unsent.first?.change["name"]?.value == .text("mine"))
  }

  @Test func anEditThatNamesTheBirthOfTheFormerIdTellsAsMuch() throws {
    let place = try RestampPlace()
    try place.write("INSERT INTO secret(id,value) VALUES('s1','first')")
    try place.store.settle(as: Self.former)
    let born = try #require(try place.state("secret", "s1").born)
    try place.restamp(from: Self.former, Self.toOwn)
    let edit = Register(stamp: Stamp(born.moment.next, Self.peer), value: .text("second"), life: born)
    let name = try #require(try place.everything().first).name
    let entry = Entry(name, RecordState(fields: [Field("value", edit)]))
    try place.receive([entry], formers: [Self.former], own: Self.own)
    #expect(try place.state("secret", "s1")["value"]?.value == .text("second"))
  }

  @Test func aDeleteThatBothMadeDoesNotTakeAnotherEditOfItsMomentAlong() throws {
    let place = try RestampPlace()
    try place.write("INSERT INTO list(id,name) VALUES('l1','x')")
    try place.seal(as: Self.former)
    try place.store.write { db in
      try db.execute("UPDATE list SET name='mine' WHERE id='l1'")
      try db.execute("DELETE FROM list WHERE id='l1'")
    }
    try place.store.settle(as: Self.former)
    let sent = try place.everything().map { entry in
      var entry = entry
      entry.change = RecordState(deletes: entry.change.deletes)
      return entry
    }
    try place.restamp(from: Self.former, Self.toOwn)
    try place.receive(sent, formers: [Self.former], own: Self.own)
    let state = try place.state("list", "l1")
    #expect(state.latestDelete?.device == Self.former && state["name"]?.stamp?.device == Self.own)
    #expect(try place.store.unsentEdits(of: Self.own).first?.change.fields.count == 1)
  }
}

/// A store whose local edits are settled and sealed by hand.
private final class RestampPlace {
  final class TestClock { var now: Int64 = 1_700_000_000_000 }

  let store: StoreCore
  let clock = TestClock()
  private var settler = DeviceID(high: 1, low: 1)
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    store = try StoreCore.open(
      folder.path("app.db"), schema: Workload.schema, wall: { [clock] in clock.now })
  }

  deinit {
    store.close()
  }

  func write(_ sql: String) throws {
    clock.now += 10
    try store.write { try $0.execute(sql) }
  }

  func seal(as device: DeviceID) throws {
    try store.settle(as: device)
    try store.engineWrite { try store.markSealed() }
  }

  func restamp(from device: DeviceID, _ map: (Stamp) -> Stamp) throws {
    try store.settle(as: device)
    var moved: DeviceID?
    try store.engineWrite {
      try store.restampUnsent(of: device) { stamp in
        moved = map(stamp).device
        return map(stamp)
      }
    }
    settler = moved ?? settler
  }

  func receive(_ entries: [Entry], formers: Set<DeviceID>, own: DeviceID) throws {
    try store.settle(as: own)
    try store.engineWrite {
      try store.unmove(entries, formers: formers, own: own)
      _ = try store.apply(entries) { _, _ in false }
    }
  }

  /// A record that a peer inserted so many milliseconds from now.
  func merge(
    _ type: String, _ id: String, at offset: Int64, _ values: [String: String], by device: DeviceID
  ) throws {
    let stamp = Stamp(Moment(milliseconds: clock.now + offset), device)
    let fields = values.map { Field($0.key, Register(stamp: stamp, value: .text($0.value))) }
    let name = RecordName(type, try #require(RecordID([.text(id)])))
    try store.settle(as: settler)
    _ = try store.engineWrite {
      try store.apply([Entry(name, RecordState(born: stamp, fields: fields))]) { _, _ in false }
    }
  }

  func everything() throws -> [Entry] {
    try store.settle(as: settler)
    var all: [Entry] = []
    try store.everything { all += $0 }
    return all
  }

  func state(_ type: String, _ id: String) throws -> RecordState {
    let name = RecordName(type, try #require(RecordID([.text(id)])))
    return try #require(try everything().first { $0.name == name }).change
  }

  func rows() throws -> [[Row]] {
    try store.read { db in
      try ["list", "item", "secret"].map { try db.rows("SELECT * FROM \($0) ORDER BY id") }
    }
  }
}
