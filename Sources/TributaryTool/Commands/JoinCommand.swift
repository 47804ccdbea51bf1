import Tributary
import TributaryCodec
import TributaryModel
import TributaryRemotes
import TributaryStore

/// Makes a database from what a remote holds.
struct JoinCommand: CommandRunner {
  let spec = CommandSpec(
    name: "join",
    summary: "Make a database here from what a remote holds",
    discussion: [
      """
      The tables are built from their description on the remote: columns, types, keys, defaults, unique values, \
      references and indexes. The description is data; no SQL from the remote is run. What it cannot carry, such as \
      triggers, views and checks, is named. Then the rows are read. Any program may write the new database.
      """,
      """
      The path must be free. The password is asked for once. A copy of an adopted database's file works as well as \
      joining: attach it, and sync.
      """,
    ],
    arguments: [
      ArgumentSpec(name: "DATABASE", summary: "The file to make.", completion: .file),
      ArgumentSpec(
        name: "REMOTE", summary: "The folder that the other devices sync with.", completion: .directory),
    ],
    options: [
      OptionSpec(
        name: "--device", valueName: "NAME",
        summary: "What other devices call this one; else the host's name."),
      .json,
    ] + PasswordInput.options,
    examples: [
      ExampleSpec(
        command: "tributary join chinook.db ~/Dropbox/chinook --device desktop",
        explanation: "The same data on a further device.")
    ],
    exitCodes: [.wrongPassword, .remoteUnavailable, .remoteFull, .held, .damage, .busy])

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    let path = command.argument("DATABASE") ?? ""
    guard try !DatabaseFile.exists(path) else {
      throw ToolError(
        .failure, "there is a file at \(path) already",
        remedy:
          "Give another path. To sync that database: tributary adopt, and then tributary attach. If a join of it was "
          + "stopped before it was done, remove the file and join again.")
    }
    let remote = try RemoteArgument.folder(command.argument("REMOTE") ?? "")
    try RemoteArgument.check(remote, create: false)
    let password = try Password.normalize(context.password(for: command, .open))
    let schema = try RemoteDescription.read(remote, password: password, Argon2id())
    try make(path, schema, remote, password, command.value("--device") ?? Machinery.hostName, context)
    let isJSON = command.has("--json")
    if !isJSON { try context.output.write(Self.text(path, schema)) }
    return try await SyncCommand().sync(path, command, context)
  }

  /// Makes and attaches the database; a failure leaves none.
  private func make(
    _ path: String, _ schema: Schema, _ remote: FolderRemote, _ password: Secret, _ name: String,
    _ context: ToolContext
  ) throws {
    let isAdopted = schema.syncedTables.allSatisfy { $0.found != nil }
    let plan = AttachPlan(
      path: path, schema: isAdopted ? nil : schema,
      place: FolderRemote(path: String(try remote.identity.dropFirst("folder:".count))), password: password,
      deviceName: name, create: false)
    do {
      if isAdopted {
        try DatabaseFile.naming(path) { try Adoption.make(path, schema, wall: Machinery.wallClock) }
      }
      try plan.carryOut(context)
    } catch {
      DatabaseFile.remove(path)
      throw error
    }
  }

  private static func text(_ path: String, _ schema: Schema) -> String {
    let omitted = schema.omitted.map { HumanText.clean($0) }.joined(separator: ", ")
    return "\(HumanText.clean(path)) is “\(HumanText.clean(schema.name))” with "
      + "\(HumanText.number(schema.syncedTables.count, "table")).\n"
      + (omitted.isEmpty ? "" : "A description cannot carry \(omitted); add them here if they are needed.\n")
  }
}
