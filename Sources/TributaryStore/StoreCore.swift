import SQLite
import TributaryCodec
package import TributaryModel

/// An open store: the app's database with the engine's tables beside it. Synchronous and confined to its owner.
package final class StoreCore {
  package let schema: Schema
  package let build: Build
  package let tables: StateTables
  let writer: Connection
  let reader: Connection
  let capture: Capture
  let meta: Meta
  let changeLog: ChangeLog
  let policy: UnsafeMutablePointer<StatementPolicy>
  /// Of an adopted store: edits that its triggers noted.
  let drain: EditDrain?
  private let writing: StatementShelf
  private let reading: StatementShelf
  private let verifier: CaptureVerifier
  /// Tells this schema from another.
  let schemaHash: Value
  /// Milliseconds since 1970, by the wall clock.
  private let wall: () -> Int64

  private init(_ parts: Parts, wall: @escaping () -> Int64) {
    schema = parts.schema
    schemaHash = .blob(Hash.digest(Array(schema.json.utf8)).bytes)
    self.wall = wall
    writer = parts.writer
    reader = parts.reader
    tables = parts.tables
    capture = parts.capture
    policy = parts.policy
    meta = Meta(connection: parts.writer)
    writing = StatementShelf(parts.writer)
    reading = StatementShelf(parts.reader)
    changeLog = ChangeLog(parts.writer)
    drain = parts.tables.prints.map { [changeLog] in
      EditDrain(tables: parts.tables, prints: $0, changeLog: changeLog)
    }
    verifier = CaptureVerifier(
      writer: parts.writer, reader: parts.reader, tables: parts.tables.shapes)
    build = Build(schemaVersion: schema.version, types: parts.tables.shapes.recordTypes)
  }

  deinit {
    close()
    policy.deinitialize(count: 1)
    policy.deallocate()
  }

  /// Opens the database at `path`, creating it if it is missing, and brings it up to the schema.
  /// - Throws: ``StoreError`` when the schema cannot be synced, the store is newer than this build, or a table holds rows
  ///   that the engine does not know; SQLite's errors.
  package static func open(_ path: String, schema: Schema, wall: @escaping () -> Int64) throws -> StoreCore {
    StoreCore(try Parts.open(path, .declared(schema), wall), wall: wall)
  }

  /// Opens a database that was adopted. Tables and triggers are compared with what was known: what may have slipped is
  /// taken up, and the triggers are put back.
  ///
  /// - Parameter look: how closely; ``AdoptedLook/resuming`` ends what ``Adoption/pause(_:wall:)`` began.
  /// - Throws: ``StoreError`` with `.paused` while the triggers are away, `.refusedValue` for a value that cannot
  ///   travel; as ``open(_:schema:wall:)`` does.
  package static func openAdopted(
    _ path: String, _ look: AdoptedLook = .atTables, wall: @escaping () -> Int64
  ) throws -> StoreCore {
    StoreCore(try Parts.open(path, .adopted(look), wall), wall: wall)
  }

  /// Closes the connections. Safe to call again.
  package func close() {
    capture.stop()
    writing.clear()
    reading.clear()
    reader.close()
    writer.close()
  }

  /// Runs `body` in one transaction, with every row change captured and stamped. An error leaves nothing behind.
  package func write<T>(_ body: (Database) throws -> T) throws -> T {
    capture.mode = .recording
    defer {
      capture.mode = .off
      capture.reset()
    }
    return try gated {
      // What others did before comes before.
      try takeNoted()
      // A row that breaks a rule is in the table by now, so the transaction fails even if `body` catches the error.
      var broken: StoreError?
      let database = Database(writing, policy) { [capture] failed in
        if failed { capture.markUncertain() }
        guard let violation = capture.takeViolation() else { return }
        broken = broken ?? violation.error
        throw violation.error
      }
      defer { database.end() }
      let result = try body(database)
      if let broken { throw broken }
      try log()
      return result
    }
  }

  /// Runs `body` over the last committed state.
  package func read<T>(_ body: (Database) throws -> T) throws -> T {
    try reader.transaction(.deferred) {
      let database = Database(reading, policy, isReading: true) { _ in }
      defer { database.end() }
      return try body(database)
    }
  }

  /// Runs `body` in one transaction of the engine: capture off, the app's triggers watched.
  package func engineWrite<T>(_ body: () throws -> T) throws -> T {
    capture.mode = .watching
    defer {
      capture.mode = .off
      capture.reset()
    }
    try writer.execute("PRAGMA foreign_keys=OFF")
    defer { try? writer.execute("PRAGMA foreign_keys=ON") }
    do {
      return try gated {
        let result = try body()
        try tables.prints?.refresh(tables)
        return result
      }
    } catch {
      tables.numbers.forget()
      tables.prints?.forget()
      throw error
    }
  }

  /// One transaction, in which the triggers of an adopted store take no notice.
  private func gated<T>(_ body: () throws -> T) throws -> T {
    try writer.transaction(.immediate) {
      guard drain != nil else { return try body() }
      try writer.execute("INSERT OR REPLACE INTO main.tributary_gate(open) VALUES(1)", [])
      let result = try body()
      try writer.execute("DELETE FROM main.tributary_gate", [])
      return result
    }
  }

  private func log() throws {
    guard capture.hasChanges else { return }
    let last = try meta.latest()
    _ = try capture.finish(
      into: changeLog, moment: Clock.next(after: last.moment, wall: wall()), after: last.seq,
      verifiedBy: verifier)
    if let prints = tables.prints { try refresh(prints, after: last.seq) }
  }

  /// What this write changed is not to be found as changed by another program.
  private func refresh(_ prints: RowPrints, after seq: Int64) throws {
    try changeLog.forEach(after: seq) { _, changes in for change in changes { prints.note(change.name) } }
    try prints.refresh(tables)
  }
}

extension StoreCore {
  /// What opening makes, before the store is one.
  private struct Parts {
    let writer: Connection
    let reader: Connection
    let tables: StateTables
    let capture: Capture
    let policy: UnsafeMutablePointer<StatementPolicy>
    let schema: Schema

    static func open(_ path: String, _ opening: Opening, _ wall: @escaping () -> Int64) throws -> Parts {
      let writer = try opening.connect(path)
      let numbers = LocalNumbers(writer)
      let (schema, shapes) = try writer.transaction(.immediate) { try opening.bringUp(writer, numbers, wall) }
      let reader = try opening.connectReader(path)
      let policy = UnsafeMutablePointer<StatementPolicy>.allocate(capacity: 1)
      policy.initialize(to: StatementPolicy())
      do {
        try reader.setAuthorizer(StatementPolicy.authorizer, policy)
        let tables = try StateTables(writer, shapes: shapes, numbers: numbers)
        if opening.isAdopted { tables.prints = RowPrints(writer) }
        let capture = try Capture.start(on: writer, tables: shapes)
        capture.mode = .off
        policy.pointee.synced = Set(shapes.map { $0.name.lowercased() })
        policy.pointee.captureContext = capture.authorizerContext
        try capture.compareOnlyColumnsThatAreSet(by: StatementPolicy.authorizer, policy)
        return Parts(
          writer: writer, reader: reader, tables: tables, capture: capture, policy: policy, schema: schema)
      } catch {
        writer.close()
        reader.close()
        policy.deallocate()
        throw error
      }
    }
  }
}
