package import SQLite
package import TributaryModel

/// Sees every change of a synced row that one connection makes, through SQLite's preupdate hook.
///
/// A record is named by its key, never by its rowid. Used from wherever the connection is used.
///
/// - Life: ``start(on:tables:)``, ``setTables(_:)``, ``stop()``
/// - In a transaction: ``mode``, ``takeViolation()``, ``markUncertain()``
/// - At its end: ``finish(into:moment:after:verifiedBy:)`` or ``finish()`` before the commit, ``reset()`` after a rollback
/// - While the engine applies: ``takeWatched()``
package final class Capture {
  /// What is done with changes.
  package enum Mode: Sendable {
    /// Nothing: the engine itself writes.
    case off
    /// They are the user's edits: kept, and checked against the rules of their columns.
    case recording
    /// The engine applies; only what triggers of the app change beside it is noted, and nothing is checked.
    case watching
  }

  /// What a transaction changed.
  package enum Outcome: Sendable {
    /// One change a record, sorted by type and identity.
    case exact([LocalChange])
    /// These records may have changed, and ``CaptureVerifier`` can tell; sorted by type and identity.
    case verify([(type: Int64, id: RecordID)])
  }

  let connection: Connection
  private let traits: CaptureTraits
  let context: UnsafeMutablePointer<CaptureContext>
  private var isStopped = false

  private init(_ connection: Connection, _ traits: CaptureTraits) {
    self.connection = connection
    self.traits = traits
    context = .allocate(capacity: 1)
    context.initialize(to: CaptureContext(tables: []))
  }

  deinit {
    stop()
    context.pointee.deallocate()
    context.deinitialize(count: 1)
    context.deallocate()
  }

  /// Puts the hook on the connection, in place of any other. It starts in mode `.off`.
  package static func start(on connection: Connection, tables: [TableShape]) throws -> Capture {
    let capture = Capture(connection, try CaptureTraits.probe())
    try capture.setTables(tables)
    try connection.setPreupdateHook(captureRow, capture.context)
    return capture
  }

  /// Takes the hook off. Call it before closing the connection if statements outlive that.
  package func stop() {
    guard !isStopped else { return }
    isStopped = true
    context.pointee.mode = .off
    guard connection.isOpen else { return }
    // Only the switch that makes SQLite compile statements anew can fail, and statements may stay as they are.
    try? connection.setPreupdateHook(nil, nil)
  }

  /// Says which tables are synced; again after each change of their columns, in a transaction that has not changed
  /// a row of them yet.
  package func setTables(_ shapes: [TableShape]) throws {
    guard !hasChanges else {
      throw StoreError(
        .schema, "The captured tables cannot change in a transaction that has changed their rows already.")
    }
    guard shapes.count <= Int(UInt16.max) else {
      throw StoreError(.schema, "A store cannot sync more than \(UInt16.max) tables.")
    }
    var tables: [(TableShape, TableInfo)] = []
    for shape in shapes.sorted(by: { $0.type < $1.type }) {
      tables.append((shape, try Self.checked(shape, connection)))
    }
    let (mode, noted) = (mode, context.pointee.noted)
    context.pointee.deallocate()
    context.pointee = CaptureContext(tables: tables.map { CaptureTable($0, $1, traits) })
    context.pointee.mode = mode
    context.pointee.noted = noted
    context.pointee.applyNotes()
  }

  private static func checked(_ shape: TableShape, _ connection: Connection) throws -> TableInfo {
    guard let info = try connection.table(shape.name), info.kind == .table, info.name == shape.name else {
      throw StoreError(.schema, "The synced table \(shape.name) is not in the database.")
    }
    let columns = shape.fields.map { ($0.name, $0.index) } + shape.key.map { ($0.name, $0.index) }
    for (name, index) in columns {
      guard info.columns.indices.contains(index), info.columns[index].name == name else {
        throw StoreError(
          .schema,
          "The column \(shape.name).\(name) is not where it was. Read the schema again before syncing.")
      }
    }
    return info
  }

  /// What is done with changes from now on.
  package var mode: Mode {
    get { context.pointee.mode }
    set { context.pointee.mode = newValue }
  }

  /// Whether anything was noted since the last end of a transaction.
  package var hasChanges: Bool { context.pointee.count > 0 }

  /// The hook has seen changes that were undone: after a statement that failed, and after ROLLBACK TO.
  package func markUncertain() { context.pointee.isUncertain = true }

  /// The first value since the last call that a rule refuses. The statement that wrote it must be undone.
  package func takeViolation() -> CaptureViolation? {
    defer { context.pointee.violation = nil }
    return context.pointee.violation
  }

  /// Ends the transaction's capture, just before the commit; what `.watching` noted is dropped.
  package func finish() -> Outcome {
    defer { context.pointee.clear() }
    guard hasChanges else { return .exact([]) }
    var collapse = CaptureCollapse(context, watched: false)
    defer { collapse.deallocate() }
    return context.pointee.isUncertain ? .verify(collapse.touched()) : .exact(collapse.changes())
  }

  /// Ends the transaction's capture, just before the commit, and writes its changes to the log under the moment.
  /// The same as ``finish()``, the verifier and the log one after another, but several times faster.
  ///
  /// - Returns: the types of the changed records, sorted; none if nothing was written.
  package func finish(
    into log: ChangeLog, moment: Moment, after last: Int64, verifiedBy verifier: CaptureVerifier
  ) throws -> [Int64] {
    if context.pointee.isUncertain {
      let changes = try verifier.changes(finish())
      try log.append(changes, moment: moment)
      return Set(changes.map(\.type)).sorted()
    }
    defer { context.pointee.clear() }
    guard hasChanges else { return [] }
    var collapse = CaptureCollapse(context, watched: false)
    defer { collapse.deallocate() }
    let (pieces, types) = collapse.packed()
    try log.append(pieces: pieces, moment: moment, after: last)
    return types
  }

  /// Forgets all that was noted, after the whole transaction was rolled back.
  package func reset() {
    context.pointee.clear()
    context.pointee.violation = nil
  }

  /// The records that triggers changed while the mode was `.watching`, sorted by type and identity. Edits that were
  /// recorded stay.
  package func takeWatched() -> [(type: Int64, id: RecordID)] {
    let collapse = CaptureCollapse(context, watched: true)
    defer { collapse.deallocate() }
    let touched = collapse.touched()
    context.pointee.dropWatched()
    return touched
  }
}

@available(*, unavailable)
extension Capture: Sendable {}
