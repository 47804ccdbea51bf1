import TestSupport
import Testing
import TributaryModel

@testable import TributaryStore

/// Fields of a group are sent together, each with the value of the state, which a repair may hide in the table.
struct GroupTests {
  private let schema = Schema(
    "com.example.groups",
    tables: [
      Table(
        "item", key: "id", columns: [.text("code").orNull.unique, .text("label").orNull],
        groups: [["code", "label"]])
    ])

  @Test func anEditOfOneFieldOfAGroupSendsTheStatesValueOfTheOther() throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try StoreCore.open(
      folder.path("app.db"), schema: schema, wall: { 5_000 })
    let me = DeviceID(high: 1, low: 1)
    try store.write { try $0.execute("INSERT INTO item(id,code,label) VALUES('mine','c','old')") }
    try store.settle(as: me)
    let rival = Entry(RecordName("item", try #require(RecordID([.text("theirs")]))), later("c"))
    _ = try store.engineWrite { try store.apply([rival]) { _, _ in true } }
    #expect(try store.read { try $0.value("SELECT code FROM item WHERE id='mine'") } == .null)
    try store.write { try $0.execute("UPDATE item SET label='new' WHERE id='mine'") }
    try store.settle(as: me)
    let sent = try store.unsentEdits(of: me).first { $0.name.id == RecordID([.text("mine")]) }
    let code = try #require(sent?.change["code"]?.register)
    let label = try #require(sent?.change["label"]?.register)
    #expect(code.value == .text("c") && label.value == .text("new") && code.stamp == label.stamp)
    // The later edit of the group claims the value again.
    #expect(try store.read { try $0.value("SELECT code FROM item WHERE id='mine'") } == .text("c"))
    store.close()
  }

  private func later(_ code: String) -> RecordState {
    let stamp = Stamp(Moment(milliseconds: 6_000), DeviceID(high: 2, low: 2))
    return RecordState(
      born: stamp,
      fields: [
        Field("code", Register(stamp: stamp, value: .text(code))),
        Field("label", Register(stamp: stamp, value: .text("theirs"))),
      ])
  }
}
