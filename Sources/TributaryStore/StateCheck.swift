import SQLite
import TributaryModel

/// Compares a store's tables with its state, its change log and what was sealed of it, and tells what does not fit.
///
/// It changes nothing and holds one batch of records at a time. Everything runs within one ``StoreView/read(_:)``.
///
/// A table holds the only copy of a value that it shows. So a value that another program changed in place is found
/// only against the sealed log that carried it: hand those over with ``compare(_:with:)``.
package final class StateCheck {
  /// What was looked at.
  package struct Counts: Sendable, Hashable {
    package var records = 0
    package var rows = 0
    package var changes = 0
    /// Values that were compared with those of sealed logs.
    package var values = 0
    package var findings = 0

    package init() {}
  }

  /// Records that are compared at a time.
  static let batch = 512
  /// Findings of one kind by SQLite itself, which could go on for ever.
  static let limit = 100

  package private(set) var counts = Counts()
  let view: StoreView
  /// Types whose clocks or overlays cannot all be read; their records are not compared.
  var unreadable: Set<Int64> = []
  /// Of an adopted store.
  private(set) var prints: RowPrints?
  /// Whether there are local writes that are not in the state yet.
  var hasUnsettled = false
  /// Values that were reported already: several logs may carry one.
  var reportedValues: Set<StateFinding> = []
  private let report: (StateFinding) throws -> Void
  private let step: (Counts) throws -> Void

  /// - Parameters:
  ///   - report: told every finding.
  ///   - step: called between batches; what it throws ends the check.
  package init(
    _ view: StoreView, report: @escaping (StateFinding) throws -> Void,
    step: @escaping (Counts) throws -> Void = { _ in }
  ) {
    self.view = view
    self.report = report
    self.step = step
  }

  var connection: Connection { view.connection }
  var tables: StateTables { view.tables }
  var accesses: [RowAccess] { tables.shapes.compactMap { tables.access($0.type) } }

  /// Checks the whole file. Damage of the file's structure ends it early, as a finding.
  package func run() throws {
    do {
      try checkFile()
      try checkTables()
      try checkChangeLog()
      try checkClocks()
      try checkOverlays()
      for access in accesses where !unreadable.contains(access.shape.type) {
        try checkRecords(access)
        try checkRows(access)
      }
      try checkUnsettled()
    } catch let error as DatabaseError where Self.isDamage(error) {
      try find(StateFinding(.file, "SQLite cannot read on: \(error.message).", remedy: StateFinding.restore))
    }
  }

  /// Counts a finding and tells it.
  package func find(_ finding: StateFinding) throws {
    counts.findings += 1
    try report(finding)
  }

  func count(records: Int = 0, rows: Int = 0, changes: Int = 0, values: Int = 0) throws {
    counts.records += records
    counts.rows += rows
    counts.changes += changes
    counts.values += values
    try step(counts)
  }

  /// What decoding threw, as text. SQLite's own errors go on: they are about the file, not about one row.
  func explain(_ error: any Error) throws -> String {
    if error is DatabaseError { throw error }
    return (error as? StoreError)?.message ?? "\(error)"
  }

  private static func isDamage(_ error: DatabaseError) -> Bool {
    [.corrupt, .notADatabase].contains(error.code.primary)
  }

  private func checkFile() throws {
    let statement = try connection.prepare("PRAGMA integrity_check(\(Self.limit))")
    while try statement.step() {
      let line = statement.column(0).string ?? ""
      if line == "ok" { continue }
      try find(StateFinding(.file, "SQLite reports damage: \(line).", remedy: StateFinding.restore))
    }
    try step(counts)
  }

  private func checkTables() throws {
    for name in view.missingTables {
      try find(
        StateFinding(
          .table, table: name, "The table is missing, or lacks columns that are synced.",
          remedy: "Another program changed it. Restore the file from a backup, or attach a new file."))
    }
    prints = try AdoptionTables.arePresent(connection) ? RowPrints(connection) : nil
    for shape in tables.shapes { try prints == nil ? checkGuards(shape) : checkWatch(shape) }
    try checkReferences()
  }

  private func checkGuards(_ shape: TableShape) throws {
    let sql = """
      SELECT count(*) FROM main.sqlite_master WHERE type='trigger' AND tbl_name=?1 COLLATE NOCASE
        AND name LIKE ?2 AND sql LIKE '%BEGIN SELECT tributary_guard(); END'
      """
    let pattern = "\(GuardFunction.name)_\(shape.type)_%"
    let found = try connection.integer(sql, [.text(shape.name), .text(pattern)]) ?? 0
    guard found < 3 else { return }
    try find(
      StateFinding(
        .guards, table: shape.name,
        "The triggers that keep other programs from writing are missing, so one may have written.",
        remedy: "The next write or sync puts them back; look at what else is listed here first."))
  }

  /// Looks at the triggers of an adopted table.
  private func checkWatch(_ shape: TableShape) throws {
    let tables = AdoptionTables(connection)
    guard try !tables.areIntact(shape, tables.triggers()) else { return }
    try find(
      StateFinding(
        .guards, table: shape.name,
        "The triggers that note what other programs write are missing or changed, so edits may have gone unseen.",
        remedy: "The next sync puts them back, and takes up what changed meanwhile."))
  }

  private func checkReferences() throws {
    let statement = try connection.prepare("PRAGMA main.foreign_key_check")
    var count = 0
    while try statement.step(), count < Self.limit {
      count += 1
      let table = statement.column(0).string ?? ""
      let key = try statement.column(1).integer.map { try self.key(ofRow: $0, in: table) }
      try find(
        StateFinding(
          .reference, table: table, key: key ?? [],
          "It refers to a row of \(statement.column(2).string ?? "") that is not there.",
          remedy: "Write the missing row, or change the reference, with `tributary sql`."))
    }
  }

  /// The key values of a row that a pragma names by its rowid.
  private func key(ofRow rowID: Int64, in table: String) throws -> [Value] {
    guard let shape = tables.shapes.first(where: { $0.name.sqlFolded == table.sqlFolded }) else { return [] }
    let names = shape.key.map { quoted($0.name) }.joined(separator: ",")
    let sql = "SELECT \(names) FROM main.\(quoted(shape.name)) WHERE rowid=?1"
    return try connection.rows(sql, [.integer(rowID)]).first ?? []
  }
}
