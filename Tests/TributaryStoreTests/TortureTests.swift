import SQLite
import TestSupport
import Testing
import TributaryModel

@testable import TributaryStore

/// Random programs write random databases; what the engine notes of it is compared with the rows before and after.
struct TortureTests {
  @Test(arguments: 1...60)
  func everyEditOfAnotherProgramIsNotedOnce(seed: UInt64) throws {
    var random = Splitmix(seed: seed)
    let run = try TortureRun(&random)
    do {
      for _ in 0..<4 { try run.burst(&random) }
      try run.finish()
    } catch { run.complain("\(error)") }
    #expect(run.complaints.isEmpty, "seed \(seed)\n\(run.complaints.joined(separator: "\n"))\n\(run.script)")
  }
}

/// One database, its app, and a second device that is handed what the first one sends.
final class TortureRun {
  private typealias Rows = [RecordID: [String: Value]]

  private(set) var complaints: [String] = []
  private let scene: AdoptedScene
  private let peer: StoreCore
  private let folder: TemporaryFolder
  private let schema: Schema
  private let linked: [String: Set<String>]
  private var app: TortureApp
  /// Edits that are taken over at a time; nil for the usual number.
  private let slice: Int?
  /// The clock jumps between edits.
  private let isClockWild: Bool
  private var states: [String: [RecordID: RecordState]] = [:]

  var script: String { app.script.suffix(40).joined(separator: "\n") }

  init(_ random: inout Splitmix) throws {
    let tables = TortureSchema.some(&random)
    let start = """
      PRAGMA synchronous=OFF; PRAGMA journal_mode=\(random.chance(50) ? "WAL" : "DELETE");
      PRAGMA foreign_keys=\(random.chance(50) ? "ON" : "OFF"); PRAGMA recursive_triggers=\(random.chance(50) ? "ON" : "OFF");
      """
    scene = try AdoptedScene(start + tables.map(\.sql).joined(separator: "\n"))
    app = TortureApp(scene.app, tables)
    slice = random.chance(30) ? 1 + random.below(4) : nil
    isClockWild = random.chance(30)
    linked = Dictionary(tables.map { ($0.name, $0.linked) }) { first, _ in first }
    folder = try TemporaryFolder()
    let path = folder.path("peer.db")
    schema = try scene.open { $0.schema }
    try Adoption.make(path, schema, wall: { 1_800_000_000_000 })
    peer = try StoreCore.openAdopted(path, wall: { 1_900_000_000_000 })
    try peer.settle(as: DeviceID(high: 2, low: 2))
    try exchange()
  }

  deinit { peer.close() }

  func complain(_ line: String) { if complaints.count < 20 { complaints.append(line) } }

  func burst(_ random: inout Splitmix) throws {
    let before = try rows(scene.app)
    try app.burst(&random)
    let after = try rows(scene.app)
    let old = states
    if isClockWild { try jumble() }
    if let slice { try drain(by: slice) }
    try exchange()
    for table in schema.tables {
      let ids = Set((before[table.name] ?? [:]).keys).union((after[table.name] ?? [:]).keys)
        .union((states[table.name] ?? [:]).keys)
      for id in ids {
        compare(
          table, id, (before[table.name]?[id], after[table.name]?[id]),
          (old[table.name]?[id] ?? RecordState(), states[table.name]?[id] ?? RecordState()))
      }
    }
    try scene.open { store in
      if try store.drain?.isEmpty() != true { complain("Edits are left.") }
      if try state(store) != states { complain("A second settling changed the state.") }
    }
  }

  /// The peer got what was sent, and shows the same.
  func finish() throws {
    for finding in try scene.findings() where !finding.message.contains("key cannot be synced") {
      complain("\(finding)")
    }
    if try state(peer) != states { complain("The peer's state differs.") }
    let (here, there) = (try rows(scene.app), try rows(peer.writer))
    for table in schema.tables where here[table.name] != there[table.name] {
      complain(
        "The peer's \(table.name) differs: \(here[table.name] ?? [:]) here, \(there[table.name] ?? [:]) there"
      )
    }
    try checkUndo()
  }

  private func checkUndo() throws {
    let before = try rows(scene.app)
    let putAside = try scene.app.rows("SELECT 1 FROM tributary_overlay WHERE flags & 6 LIMIT 1")
    try Adoption.undo(scene.path, wall: { 1_900_000_000_000 })
    if try scene.app.rows("SELECT 1 FROM sqlite_master WHERE name LIKE 'tributary%'").isEmpty == false {
      complain("Undoing left something.")
    }
    // Rows that a rule kept out, or changed, are put back as they were written.
    if try putAside.isEmpty && rows(scene.app) != before { complain("Undoing changed rows.") }
    if try scene.app.rows("PRAGMA integrity_check") != [[.text("ok")]] { complain("The file is damaged.") }
  }
}

extension TortureRun {
  private func jumble() throws {
    let tables = try scene.app.rows(
      "SELECT name FROM sqlite_master WHERE name GLOB 'tributary_edit_*' AND type='table'")
    for name in tables.compactMap({ $0[0].string }) {
      try scene.app.execute("UPDATE \(name) SET time=time+abs(random())%100-50")
    }
  }

  private func drain(by limit: Int) throws {
    let store = try StoreCore.openAdopted(scene.path, wall: { 1_900_000_000_000 })
    defer { store.close() }
    var drain = EditDrain(tables: store.tables, prints: RowPrints(store.writer), changeLog: store.changeLog)
    drain.limit = limit
    while try !store.engineWrite({ try drain.take(after: store.meta.latestMoment) }) {}
  }

  /// Settles, and hands the edits over.
  private func exchange() throws {
    let entries = try scene.open { store in
      states = try state(store)
      let entries = try store.unsentEdits(of: scene.device)
      try store.engineWrite { try store.markSealed() }
      return entries
    }
    _ = try peer.engineWrite { try peer.apply(entries) { _, _ in true } }
  }

  private func state(_ store: StoreCore) throws -> [String: [RecordID: RecordState]] {
    var all: [String: [RecordID: RecordState]] = [:]
    try store.everything {
      for entry in $0 { all[entry.name.type, default: [:]][entry.name.id] = entry.change }
    }
    return all
  }

  private func rows(_ connection: Connection) throws -> [String: Rows] {
    var all: [String: Rows] = [:]
    for table in schema.tables {
      let names = table.columns.map(\.name)
      var found: Rows = [:]
      for row in try connection.rows(
        "SELECT \(names.map(quoted).joined(separator: ",")) FROM \(quoted(table.name))")
      {
        let values = Dictionary(zip(names, row)) { first, _ in first }
        guard let id = RecordID(table.key.map { values[$0] ?? .null }) else { continue }
        found[id] = values.filter { !table.key.contains($0.key) }
      }
      all[table.name] = found
    }
    return all
  }
}

extension TortureRun {
  private func compare(
    _ table: Table, _ id: RecordID, _ rows: (before: [String: Value]?, after: [String: Value]?),
    _ states: (old: RecordState, new: RecordState)
  ) {
    let (old, new) = states
    let name = "\(table.name) \(id.values ?? [])"
    // Whatever happens, one stamp stands for one value.
    for field in new.fields {
      guard let known = old[field.name], known.stamp == field.stamp, known.value != field.value else {
        continue
      }
      complain("\(name): \(field.name) is another value under its old stamp")
    }
    switch rows {
    case (nil, nil): if old != new { complain("\(name): changed though it is not there") }
    case (nil, let row?): appeared(name, row, old, new)
    case (_?, nil): went(table, name, old, new)
    case (let before?, let after?): stayed(table, name, before, after, old, new)
    }
  }

  private func appeared(_ name: String, _ row: [String: Value], _ old: RecordState, _ new: RecordState) {
    if !(new.isVisible() && new.born != old.born) { complain("\(name): appeared, and has no new insert") }
    for (field, value) in row {
      let stamp = new[field]?.stamp
      if new[field]?.value != value { complain("\(name): \(field) is not \(value)") }
      if stamp == nil || stamp == old[field]?.stamp { complain("\(name): \(field) has no new stamp") }
    }
  }

  private func went(_ table: Table, _ name: String, _ old: RecordState, _ new: RecordState) {
    if new.isVisible() || new.deletes.last?.stamp == old.deletes.last?.stamp {
      complain("\(name): went, and has no new delete")
    }
    if new.born != old.born { complain("\(name): went, and has a new insert") }
    if new.fields.count != table.columns.count - table.key.count {
      complain("\(name): the trash lacks fields")
    }
    guard linked[table.name] == [], !app.written.contains(table.name) else { return }
    if new.fields != old.fields { complain("\(name): the trash has other values") }
  }

  private func stayed(
    _ table: Table, _ name: String, _ before: [String: Value], _ after: [String: Value], _ old: RecordState,
    _ new: RecordState
  ) {
    if new.born != old.born || new.deletes != old.deletes {
      complain("\(name): stayed, and was born or deleted")
    }
    let links = linked[table.name] ?? []
    for (field, value) in after {
      let isNamed = links.contains(field) || app.named.contains("\(table.name).\(field)")
      let (last, now) = (old[field], new[field])
      if value != before[field] {
        if now?.value != value { complain("\(name): \(field) is not \(value)") }
        if !isLater(now?.stamp, last?.stamp) { complain("\(name): \(field) changed under its old stamp") }
      } else if now?.stamp == last?.stamp {
        if now?.value != last?.value { complain("\(name): \(field) has another value") }
      } else if !isNamed {
        complain("\(name): \(field) has a new stamp, and nobody changed it")
      } else if now?.value != value {
        complain("\(name): \(field) was written, and is not \(value)")
      }
    }
  }

  private func isLater(_ new: Stamp?, _ old: Stamp?) -> Bool {
    guard let new else { return false }
    return old.map { $0 < new } ?? true
  }
}
