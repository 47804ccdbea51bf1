import SQLite
import TestSupport
import TributaryCodec
import TributaryModel
import TributaryTesting

@testable import Tributary
@testable import TributaryStore

/// How the devices of a fleet come by their databases.
enum FleetKind {
  /// Apps that declare their schema.
  case declared
  /// One database is adopted, and the others join with what it describes.
  case adopted
  /// Each device adopts a copy of one file.
  case adoptedApart
}

// MARK: - Making

extension SimulatedRun {
  static let password = "correct horse"

  /// A file with the app's tables, made by plain SQL.
  func makeForeign(_ name: String) throws {
    let connection = try Connection.open(folder.path("\(name).db"))
    defer { connection.close() }
    if seed % 2 == 0 { try connection.execute("PRAGMA journal_mode=WAL") }
    try connection.execute(Workload.foreignTables + Workload.foreignRows)
  }

  /// The database of a device, adopted, as ``SimulatedDevice`` opens it.
  func makeAdopted(_ name: String) throws {
    let environment = world.environment(of: name) { 0 }
    let path = folder.path("\(name).db")
    if kind == .adoptedApart && name != "newcomer" || devices.isEmpty {
      try makeForeign(name)
      let wish = FoundSchema.Wish(name: Workload.adoptedSchema.name, tables: Workload.adoptedTables)
      _ = try Adoption.adopt(path, wish, wall: environment.wall)
    } else {
      let schema = try RemoteDescription.read(
        remote.view(for: name), password: try Secret(Array(Self.password.utf8)), environment.passwordHash)
      try Adoption.make(path, schema, wall: environment.wall)
    }
  }

  /// Takes in what adopting made of the rows that were there.
  func adopted(_ device: SimulatedDevice) throws {
    _ = try edits.record(device, after: 0)
    // Those who join are told of the tables by what is on the remote.
    if kind == .adopted, device === devices.first { _ = try device.sync() }
  }
}

// MARK: - What others do to the file

extension SimulatedRun {
  func app(of device: SimulatedDevice) -> ForeignApp { ForeignApp(path: device.path) }

  /// The statements, with the names that the columns have on this device.
  func fitting(_ statements: [Statement], _ device: SimulatedDevice) -> [Statement] {
    guard device.hasOtherName else { return statements }
    return statements.map { statement in
      let pieces = statement.sql.split(separator: "due", omittingEmptySubsequences: false)
      return Statement(pieces.joined(separator: Migration.otherName), statement.values)
    }
  }

  func foreign(
    _ statements: [Statement], _ habits: ForeignApp.Habits, _ device: SimulatedDevice,
    _ step: inout History.Step
  ) throws {
    let time = device.wall()
    let done = try app(of: device).run(fitting(statements, device), habits, at: time)
    step.outcome = done == nil ? "refused" : "committed"
    if let done { foreignEdits[device.name, default: ForeignEdits()].add(done, at: time) }
  }

  func unwatched(
    _ statements: [Statement], _ habits: ForeignApp.Habits, _ way: Unwatched, _ device: SimulatedDevice,
    _ step: inout History.Step
  ) throws {
    let statements = fitting(statements, device)
    if case .paused = way {
      try paused(device, &step) { try app(of: device).run(statements, habits, at: device.wall()) }
    } else if case .dropped(let number) = way {
      try reopen(device, &step) {
        try app(of: device).change { try Self.dropTriggers($0, number) }
          + (try app(of: device).run(statements, habits, at: device.wall()) ?? [])
      }
    }
  }

  func migrate(_ migration: Migration, _ device: SimulatedDevice, _ step: inout History.Step) throws {
    if migration.changesColumns {
      // What is not settled is settled with the columns that there are then: an insert takes all of them.
      step.edits += try take(try noted(device), of: device)
      try device.store.settle(as: try device.engine?.author() ?? device.device)
    }
    if case .rename = migration {
      foreignEdits[device.name, default: ForeignEdits()].rename(["due", Migration.otherName])
      let isSent = try device.store.unsentNames().isEmpty
      edits.lose(
        column: device.hasOtherName ? Migration.otherName : "due", of: device.name,
        after: isSent ? try device.store.meta.moment(.sealedMoment) : Moment(raw: 0))
    }
    if case .sql(_, true) = migration {
      try paused(device, &step) { try app(of: device).change(migration.run) }
    } else {
      try reopen(device, &step) { try app(of: device).change(migration.run) }
    }
  }

  private func paused(
    _ device: SimulatedDevice, _ step: inout History.Step, _ body: () throws -> [ForeignApp.Difference]?
  ) throws {
    // What was noted before is taken over first, as by a sync.
    let noted = try self.noted(device)
    step.edits += try take(noted, of: device)
    try reopen(device, &step, isResumed: true, skipping: noted.rows) {
      try Adoption.pause(device.path, wall: device.wall)
      return try body()
    }
  }

  private static func dropTriggers(_ connection: Connection, _ number: Int) throws {
    let names = try connection.rows(
      "SELECT name FROM sqlite_master WHERE type='trigger' AND name GLOB 'tributary_adopt_*' ORDER BY name")
    for (index, name) in names.compactMap({ $0[0].string }).enumerated() where index % max(1, number) == 0 {
      try connection.execute("DROP TRIGGER \(name)")
    }
  }

  /// Does something to a closed database, and takes in what opening it again finds.
  ///
  /// - Parameter skipping: rows of the change log that closing still adds, which were taken in already.
  private func reopen(
    _ device: SimulatedDevice, _ step: inout History.Step, isResumed: Bool = false, skipping: Int64 = 0,
    _ body: () throws -> [ForeignApp.Difference]?
  ) throws {
    let last = try device.store.meta.latestMoment
    let (before, sealed) = (try device.store.changeLog.lastSeq, try device.store.meta.moment(.sealedMoment))
    let isSent = try device.store.unsentNames().isEmpty
    device.store.close()
    let differences = try body()
    step.outcome = differences == nil ? "refused" : "committed"
    foreignEdits[device.name, default: ForeignEdits()].add(
      differences ?? [], at: device.wall(), isUnwatched: true)
    foreignEdits[device.name]?.loseSight()
    try device.start(isResumed: isResumed)
    guard try device.store.drain?.isEmpty() ?? true else { return }
    let made = try edits.made(on: device, after: before + skipping)
    let vanished = foreignEdits[device.name]?.vanished(made) ?? []
    step.edits += try take(Noted(edits: made, rows: 0, last: last), of: device)
    for name in vanished {
      edits.lose(name, of: device.name, after: isSent ? sealed : Moment(raw: 0))
    }
  }
}

// MARK: - What the engine makes of it

extension SimulatedRun {
  /// What taking over all that is noted would make of it.
  struct Noted {
    var edits: [EditLog.Edit] = []
    /// Rows of the change log.
    var rows: Int64 = 0
    /// The greatest moment that the store knew before.
    var last: Moment
  }

  private struct Peeked: Error {}

  /// Looks ahead, and leaves everything as it is.
  func noted(_ device: SimulatedDevice) throws -> Noted {
    let store = device.store
    var noted = Noted(last: try store.meta.latestMoment)
    guard try !(store.drain?.isEmpty() ?? true) else { return noted }
    do {
      try store.engineWrite {
        let before = try store.changeLog.lastSeq
        try store.takeNoted()
        noted.edits = try edits.made(on: device, after: before)
        noted.rows = try store.changeLog.lastSeq - before
        throw Peeked()
      }
    } catch is Peeked {}
    return noted
  }

  /// Takes in edits that the engine took over, which must be what programs did; returns a line for each.
  func take(_ noted: Noted, of device: SimulatedDevice) throws -> [String] {
    let problems = (foreignEdits[device.name] ?? ForeignEdits()).problems(
      with: noted.edits, after: noted.last)
    foreignEdits[device.name] = nil
    if !problems.isEmpty {
      throw Stopped(step: "\(device.name) took over wrongly: " + problems.joined(separator: "; "))
    }
    return edits.add(noted.edits)
  }

  /// Takes in what was noted if an operation took it over.
  func take(_ noted: Noted?, of device: SimulatedDevice, ifTaken step: inout History.Step) throws {
    guard let noted, try device.store.drain?.isEmpty() ?? false else { return }
    step.edits += try take(noted, of: device)
  }

  /// Every adopted device gets all that any app did to its tables.
  func migrateAll() throws {
    let columns = devices.flatMap(\.extraColumns)
    for device in devices where device.isAdopted {
      if device.hasOtherName { try perform(.migrate(.rename), on: device) }
      for number in Set(columns).subtracting(device.extraColumns).sorted() {
        try perform(.migrate(.addColumn(number)), on: device)
      }
    }
  }
}

extension SimulatedDevice {
  private var itemColumns: [String] {
    store.schema.tables.first { $0.name == "item" }?.columns.map(\.name) ?? []
  }

  /// The numbers of the columns that an app added.
  var extraColumns: [Int] { itemColumns.compactMap { $0.hasPrefix("extra") ? Int($0.dropFirst(5)) : nil } }

  var hasOtherName: Bool { itemColumns.contains(Migration.otherName) }
}
