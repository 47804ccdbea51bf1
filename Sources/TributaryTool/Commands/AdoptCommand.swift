import Tributary
import TributaryCustody
import TributaryModel
import TributaryStore

/// Tracks a database that other programs write.
struct AdoptCommand: CommandRunner {
  let spec = CommandSpec(
    name: "adopt",
    summary: "Track an existing database, whatever program writes it",
    discussion: [
      """
      Triggers in plain SQL are added to the database. They note what any program writes to its tables, with nothing \
      of Tributary's loaded in it. First it says what it will do, table by table; a table that cannot be carried is \
      refused with the remedy, and then nothing is changed. Next comes attach.
      """,
      """
      The app may go on to change its own tables. Every sync compares them with what was known, takes up what went \
      unnoticed, and says so. Nothing is deleted elsewhere because a table or a row went away unnoticed: rows come \
      back from the other devices. SQLite refuses to drop a column that a trigger names; --pause takes the triggers \
      away for that, and --resume looks at every row and puts them back. No sync runs in between.
      """,
      """
      --undo removes the triggers and everything else that was added. The app's own schema and rows stay as they are. \
      What other devices have is not touched.
      """,
    ],
    arguments: [.database],
    options: [
      OptionSpec(
        name: "--table", valueName: "TABLE",
        summary: "Only this table; may be given several times. Else all, later ones too.",
        isRepeated: true),
      OptionSpec(
        name: "--name", valueName: "NAME",
        summary: "What the data is called, the same on every device; else the file's name without its ending."
      ),
      OptionSpec(
        name: "--shared-integer-keys",
        summary:
          "Take keys that SQLite hands out. Two rows that two devices make under one key are then one, and reported."
      ),
      OptionSpec(name: "--dry-run", summary: "Say what would be done, and change nothing."),
      OptionSpec(name: "--pause", summary: "Take the triggers away for a while."),
      OptionSpec(name: "--resume", summary: "Put them back, and take up what changed."),
      OptionSpec(name: "--undo", summary: "Remove everything that was added to the database."),
      .json,
    ],
    examples: [
      ExampleSpec(
        command: "tributary adopt chinook.db --shared-integer-keys",
        explanation: "Tracks every table of the database."),
      ExampleSpec(
        command: "tributary adopt app.db --undo", explanation: "Leaves the database as it was before."),
    ],
    exitCodes: [.damage, .busy])

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    let path = command.argument("DATABASE") ?? ""
    let verbs = ["--pause", "--resume", "--undo"].filter(command.has)
    guard verbs.count < 2 else { throw ToolError.usage("give one of \(verbs.joined(separator: " and "))") }
    guard try DatabaseFile.exists(path) else {
      throw ToolError(.failure, "there is no database at \(path)", remedy: "Check the path.")
    }
    switch verbs.first {
    case "--pause": return try await pause(path, command, context)
    case "--resume": return try await resume(path, command, context)
    case "--undo": return try await undo(path, command, context)
    default: return try adopt(path, command, context)
    }
  }

  private func adopt(_ path: String, _ command: ParsedCommand, _ context: ToolContext) throws -> ExitCode {
    let wish = FoundSchema.Wish(
      name: command.value("--name") ?? Self.name(of: path), tables: command.lists["--table"],
      sharesIntegerKeys: command.has("--shared-integer-keys"))
    let output = AdoptOutput(path: path, isJSON: command.has("--json"))
    let found = try DatabaseFile.namingToRead(path) { try Adoption.look(path, wish) }
    try context.output.write(output.plan(found))
    guard found.refusals.isEmpty else {
      throw ToolError(
        .failure, "\(path) was not adopted", remedy: "Follow what is said above each table, and run it again."
      )
    }
    if command.has("--dry-run") { return .success }
    let bar = context.progressBar(for: command)
    defer { bar.finish() }
    let report = try DatabaseFile.naming(path) {
      try Adoption.adopt(path, wish, wall: Machinery.wallClock) { table, rows in
        try context.checkInterruption()
        bar.update("Taking \(HumanText.clean(table)), rows:", done: rows, total: nil)
      }
    }
    bar.finish()
    try context.output.write(output.done(report))
    return .success
  }

  private func pause(_ path: String, _ command: ParsedCommand, _ context: ToolContext) async throws
    -> ExitCode
  {
    try await locked(path, context) {
      try DatabaseFile.naming(path) { try Adoption.pause(path, wall: Machinery.wallClock) }
    }
    try say(
      "paused",
      "\(path) is paused: its app may change its tables. Nothing is noted until `tributary adopt --resume`.",
      command, context)
    return .success
  }

  private func resume(_ path: String, _ command: ParsedCommand, _ context: ToolContext) async throws
    -> ExitCode
  {
    let lines = try await locked(path, context) {
      try DatabaseFile.naming(path) {
        let store = try StoreCore.openAdopted(path, .resuming, wall: Machinery.wallClock)
        defer { store.close() }
        return try store.note(.drift)?.string ?? ""
      }
    }
    let found =
      lines.isEmpty ? "" : lines.split(separator: "\n").map { "\n  " + HumanText.clean(String($0)) }.joined()
    try say("resumed", "\(path) is tracked again.\(found)", command, context)
    return .success
  }

  private func undo(_ path: String, _ command: ParsedCommand, _ context: ToolContext) async throws -> ExitCode
  {
    let notes = try AttachedStore.readNotes(path)
    let left = try await locked(path, context) {
      try DatabaseFile.naming(path) {
        try Adoption.undo(path, wall: Machinery.wallClock) {
          guard let name = notes[.store] else { return }
          let vault = try context.vault(name)
          try vault.secrets.remove(vault.name)
        }
      }
    }
    try say(
      "undone",
      "\(path) is as its app made it, with the rows that it has now."
        + (left == 0
          ? ""
          : " \(HumanText.number(left, "row")) could not be put back beside others; other devices have them."),
      command, context)
    return .success
  }

  /// A sync of the database that is running is waited for.
  private func locked<T>(_ path: String, _ context: ToolContext, _ body: () throws -> T) async throws -> T {
    let store = AttachedStore(path: path, notes: try AttachedStore.readNotes(path))
    let lock = store.notes[.store] == nil ? nil : try await store.lock(context, tries: SQLCommand.lockTries)
    defer { lock?.release() }
    return try body()
  }

  private func say(_ word: String, _ text: String, _ command: ParsedCommand, _ context: ToolContext) throws {
    let json: JSONValue = [
      "database": .string(command.argument("DATABASE") ?? ""), "adoption": .string(word),
    ]
    try context.output.write(command.has("--json") ? json.line : text + "\n")
  }

  /// The file's name without its folder and its ending.
  static func name(of path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return file }
    return String(file[..<dot])
  }
}

/// What adopting says, for people and for programs.
struct AdoptOutput {
  let path: String
  let isJSON: Bool

  func plan(_ found: FoundSchema) -> String {
    if isJSON { return found.refusals.isEmpty ? "" : refusals(found).line }
    var lines = ["\(HumanText.clean(path)) as “\(HumanText.clean(found.schema.name))”:"]
    for table in found.schema.tables {
      let refusals = found.refusals.filter { $0.table == table.name }
      lines.append(
        "  \(HumanText.clean(table.name)): " + (refusals.isEmpty ? Self.summary(table) : "cannot be synced"))
      lines += refusals.map { "    It \(HumanText.clean($0.problem)). \(HumanText.clean($0.remedy))" }
    }
    for refusal in found.refusals where !found.schema.tables.contains(where: { $0.name == refusal.table }) {
      lines.append("  " + HumanText.clean(refusal.text))
    }
    if !found.schema.omitted.isEmpty {
      lines.append(
        "  Other devices that join will lack " + HumanText.clean(found.schema.omitted.joined(separator: ", "))
          + ".")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  func done(_ report: Adoption.Report) -> String {
    if isJSON { return json(report).line }
    let rows = report.rows.values.reduce(0, +)
    return
      "Adopted: \(HumanText.number(rows, "row")) in \(HumanText.number(report.rows.count, "table")) are tracked from now on.\n"
      + "Next: tributary attach \(HumanText.clean(path)) REMOTE --new\n"
  }

  private static func summary(_ table: Table) -> String {
    let key = table.key.map { HumanText.clean($0) }.joined(separator: ", ")
    return "\(HumanText.number(table.columns.count, "column")), key \(key)"
      + (table.sharedIntegerKey ? " (handed out by SQLite)" : "")
  }

  private func refusals(_ found: FoundSchema) -> JSONValue {
    [
      "database": .string(path), "adoption": "refused",
      "refusals": .array(
        found.refusals.map {
          ["table": .string($0.table), "problem": .string($0.problem), "remedy": .string($0.remedy)]
        }),
    ]
  }

  private func json(_ report: Adoption.Report) -> JSONValue {
    [
      "database": .string(path), "adoption": "adopted", "name": .string(report.schema.name),
      "rows": .object(
        report.rows.sorted { $0.key < $1.key }.map {
          JSONValue.Member(key: $0.key, value: .integer(Int64($0.value)))
        }),
      "omitted": .array(report.schema.omitted.map { .string($0) }),
    ]
  }
}
