import SQLite
import TributaryCustody
import TributaryModel
import TributaryStore

/// Brings back a value that lost, or a record that was deleted, as an ordinary new edit.
struct RestoreCommand: CommandRunner {
  let spec = CommandSpec.restore

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    let attached = try AttachedStore.find(command.argument("DATABASE") ?? "")
    let what = try Self.what(command, attached.schema())
    let lock = try await attached.lock(context, tries: SQLCommand.lockTries)
    defer { lock.release() }
    let store = try attached.open()
    defer { store.close() }
    let restoring = Restoring(store: store, path: attached.path, own: try own(attached, store, context))
    let done = try DatabaseFile.naming(attached.path) {
      switch what {
      case .conflict(let number): try restoring.conflict(number)
      case .record(let name): try restoring.record(name)
      }
    }
    try context.output.write(done + "\n")
    return .success
  }

  private enum What {
    case conflict(Int64)
    case record(RecordName)
  }

  private static func what(_ command: ParsedCommand, _ schema: Schema) throws -> What {
    switch (command.value("--conflict"), command.argument("TABLE")) {
    case (let text?, nil):
      guard let number = Int64(text), number > 0 else {
        throw ToolError.usage("--conflict takes a number that `tributary conflicts` shows, not \"\(text)\"")
      }
      return .conflict(number)
    case (nil, let table?): return .record(try KeyWords(table, in: schema).name(command.repeated))
    default:
      throw ToolError.usage(
        "give either --conflict NUMBER, or TABLE and KEY",
        remedy: "`tributary conflicts` and `tributary trash` show what there is.")
    }
  }

  private func own(_ attached: AttachedStore, _ store: StoreCore, _ context: ToolContext) throws -> DeviceID {
    if let secrets = try? attached.secrets(context) { return secrets.deviceID }
    return DeviceID(high: 0, low: 0)
  }
}

/// The two ways to restore, each in one captured write.
private struct Restoring {
  let store: StoreCore
  let path: String
  let own: DeviceID

  /// Writes the value that lost, and with it what lost of the same group by the same edit.
  func conflict(_ number: Int64) throws -> String {
    try store.write { database in
      let lines = try store.conflictLines(numbered: number)
      guard let name = lines.first?.conflict.name else {
        throw ToolError(
          .failure, "there is no conflict \(number)",
          remedy: "`tributary conflicts` shows those that there are; the newest 1,000 are kept.")
      }
      let record = Record(name, try table(name.type), label: label(name))
      let columns = lines.map(\.conflict.field)
      guard columns.allSatisfy(record.table.columns.map(\.name).contains) else {
        throw ToolError(
          .failure, "\(record.label) has no column \(HumanText.clean(columns[0])) here any more")
      }
      guard let before = try record.values(of: columns, database) else { throw gone(record) }
      let lost = lines.map(\.conflict.lost.value)
      guard before != lost else { return "\(record.label) has that value already; nothing was done." }
      try refused(record) { try record.update(columns, lost, database) }
      let done = columns.indices.filter { before[$0] != lost[$0] }.map { index in
        "\(HumanText.clean(columns[index])) is \(HumanText.value(lost[index])) again, and was "
          + HumanText.value(before[index])
      }
      return "\(record.label): \(done.joined(separator: "; ")). The next sync sends it."
    }
  }

  /// Inserts the values that are kept of a deleted record.
  func record(_ name: RecordName) throws -> String {
    let record = Record(name, try table(name.type), label: label(name))
    return try refused(record) {
      try store.write { database in
        guard try record.values(of: [], database) == nil else {
          throw ToolError(.failure, "\(record.label) exists; there is nothing to restore")
        }
        guard let kept = try store.trashed(name, own: own) else { throw nothingKept(record) }
        if !kept.unknownColumns.isEmpty {
          throw ToolError(
            .failure,
            "\(record.label) has values of columns that this schema does not have: "
              + kept.unknownColumns.map(HumanText.clean).joined(separator: ", "),
            remedy:
              "Restored here, it would lose them. Attach with the later schema first, or restore it on a device "
              + "that has it.")
        }
        try record.insert(kept.values, database)
        return
          "\(record.label) is back, with \(HumanText.number(kept.values.count, "value")). The next sync sends it."
      }
    }
  }

  private func table(_ name: String) throws -> Table { try KeyWords(name, in: store.schema).table }

  private func label(_ name: RecordName) -> String { HumanText.record(name.type, name.id.values ?? []) }

  /// Why a record of which a value lost is not in its table.
  private func gone(_ record: Record) -> ToolError {
    guard (try? store.trashed(record.name, own: own)) != nil else {
      return ToolError(
        .failure, "\(record.label) is not in its table",
        remedy: "If a constraint keeps it out, `tributary held` says which. Else it is gone for good.")
    }
    let words = try? KeyWords(record.name.type, in: store.schema).shellWords(record.name.id.values ?? [])
    return ToolError(
      .failure, "\(record.label) is deleted",
      remedy: "Bring it back first"
        + (words.map { ": tributary restore \(KeyWords.quoted(HumanText.clean(path))) \($0)" } ?? "."))
  }

  private func nothingKept(_ record: Record) -> ToolError {
    ToolError(
      .failure, "nothing is kept of \(record.label)",
      remedy: record.table.onDelete == .erases
        ? "What is deleted from \(record.table.name) is erased at once."
        : "`tributary trash` shows what there is.")
  }

  /// Says of a constraint that refuses the edit what has to be done first.
  private func refused<T>(_ record: Record, _ body: () throws -> T) throws -> T {
    do { return try body() } catch {
      guard let error = StoreError.explaining(error) as? StoreError, error.code == .constraint else {
        throw error
      }
      let code = ResultCode(rawValue: error.sqliteCode ?? 0)
      let remedy =
        switch code {
        case .constraintForeignKey: "A record that it refers to is not there. Restore that one first."
        case .constraintUnique, .constraintPrimaryKey:
          "Another record has a value by now that must be unique. Change that one first."
        default: "The table's rules do not let it in as it was."
        }
      throw ToolError(.failure, "\(record.label) cannot be restored: \(error.message)", remedy: remedy)
    }
  }
}

/// A record as SQL names it.
private struct Record {
  let name: RecordName
  let table: Table
  /// For messages.
  let label: String

  init(_ name: RecordName, _ table: Table, label: String) {
    (self.name, self.table, self.label) = (name, table, label)
  }

  private var key: [Value] { name.id.values ?? [] }

  private func test(from first: Int) -> String {
    table.key.indices.map { "\(quoted(table.key[$0]))=?\($0 + first)" }.joined(separator: " AND ")
  }

  /// What the table shows in the given columns; nil if it does not show the record.
  func values(of columns: [String], _ database: Database) throws -> [Value]? {
    let names = (table.key + columns).map(quoted).joined(separator: ",")
    // A column's collation may take other keys for this one.
    for row in try database.rows(
      "SELECT \(names) FROM main.\(quoted(table.name)) WHERE \(test(from: 1))", key)
    where RecordID(Array(row.values.prefix(key.count))) == name.id {
      return Array(row.values.dropFirst(key.count))
    }
    return nil
  }

  func update(_ columns: [String], _ values: [Value], _ database: Database) throws {
    let sets = columns.enumerated().map { "\(quoted($1))=?\($0 + 1)" }.joined(separator: ",")
    try database.execute(
      "UPDATE main.\(quoted(table.name)) SET \(sets) WHERE \(test(from: columns.count + 1))", values + key)
  }

  func insert(_ values: [(column: String, value: Value)], _ database: Database) throws {
    let names = (table.key + values.map(\.column)).map(quoted).joined(separator: ",")
    let places = (1...(key.count + values.count)).map { "?\($0)" }.joined(separator: ",")
    try database.execute(
      "INSERT INTO main.\(quoted(table.name))(\(names)) VALUES(\(places))", key + values.map(\.value))
  }
}
