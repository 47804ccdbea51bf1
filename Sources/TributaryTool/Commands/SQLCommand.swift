import CSQLite
import TributaryCustody
import TributaryModel
import TributaryStore

/// Runs SQL inside one captured write.
struct SQLCommand: CommandRunner {
  static let fileLimit = 256 << 20
  /// How often the lock of a sync that is running is tried: for ten seconds.
  static let lockTries = 100

  let spec = CommandSpec(
    name: "sql",
    summary: "Run SQL on an attached database, so that its changes are synced",
    discussion: [
      """
      All statements run in one transaction: an error undoes all of them. Rows that they return are written with \
      tabs between the values. Other programs can read the tables of an attached database, but not change them.
      """,
      """
      A sync of the same database that is running is waited for, for ten seconds: an edit must not come between \
      two steps of it. That goes for a SELECT too; other programs can read the tables meanwhile.
      """,
    ],
    arguments: [
      .database, ArgumentSpec(name: "SQL", summary: "One or more statements.", isOptional: true),
    ],
    options: [
      OptionSpec(
        name: "--file", valueName: "FILE", summary: "Read the statements from this file.", completion: .file)
    ],
    examples: [
      ExampleSpec(
        command: "tributary sql app.db --file load.sql", explanation: "The next sync sends what it changed.")
    ],
    exitCodes: [.notAttached, .damage, .busy])

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    let statements = try Self.statements(of: text(command))
    let attached = try AttachedStore.find(command.argument("DATABASE") ?? "")
    let lock = try await attached.lock(context, tries: Self.lockTries)
    defer { lock.release() }
    let store = try attached.open()
    defer { store.close() }
    try context.output.write(try run(statements, on: store, at: attached.path, context))
    return .success
  }

  private func run(
    _ statements: [String], on store: StoreCore, at path: String, _ context: ToolContext
  ) throws -> String {
    try DatabaseFile.naming(path) {
      try store.write { database in
        var output = ""
        for statement in statements {
          try context.checkInterruption()
          for row in try database.rows(statement) {
            output += row.values.map(shown).joined(separator: "\t") + "\n"
          }
        }
        return output
      }
    }
  }

  private func text(_ command: ParsedCommand) throws -> String {
    switch (command.argument("SQL"), command.value("--file")) {
    case (let sql?, nil): return sql
    case (nil, let file?):
      guard
        let text = String(validating: try TextFile.read(file, limit: Self.fileLimit), as: UTF8.self)
      else { throw ToolError(.failure, "\(file) is not UTF-8 text") }
      return text
    default: throw ToolError.usage("give either SQL or --file FILE")
    }
  }

  /// Cuts at the semicolons where SQLite says that a statement is complete, so that those in texts and triggers stay.
  static func statements(of text: String) throws -> [String] {
    guard !text.utf8.contains(0) else { throw ToolError.usage("the SQL holds a NUL") }
    var statements: [String] = []
    var piece: [UInt8] = []
    for byte in text.utf8 {
      piece.append(byte)
      guard byte == UInt8(ascii: ";") else { continue }
      let candidate = String(decoding: piece, as: UTF8.self)
      guard sqlite3_complete(candidate) == 1 else { continue }
      statements.append(candidate)
      piece = []
    }
    // Blanks and comments alone count as complete with a semicolon in front; a statement without its own does not.
    let rest = String(decoding: piece, as: UTF8.self)
    return sqlite3_complete(";" + rest) == 1 ? statements : statements + [rest]
  }

  private func shown(_ value: Value) -> String {
    switch value {
    case .null: ""
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let bytes): String(decoding: bytes, as: UTF8.self)
    case .blob(let bytes): "x'" + bytes.map(hexadecimal).joined() + "'"
    }
  }
}
