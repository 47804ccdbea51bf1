import SQLite
import Tributary
import TributaryCodec
import TributaryCustody
import TributaryModel
import TributaryRemotes
import TributaryStore

/// Joins a database to a remote.
struct AttachCommand: CommandRunner {
  static let schemaLimit = 1 << 20

  let spec = CommandSpec.attach

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    let path = command.argument("DATABASE") ?? ""
    let create = command.has("--new")
    let remote = try RemoteArgument.folder(command.argument("REMOTE") ?? "")
    let given = try command.value("--schema").map {
      try Schema(json: TextFile.read($0, limit: Self.schemaLimit))
    }
    let adopted = try adoptedSchema(path, given)
    guard let schema = adopted ?? given else {
      throw ToolError.usage(
        "attach needs --schema FILE here: the tables to sync",
        remedy: "For a database that a program has made, run first: tributary adopt \(path)")
    }
    var name = command.value("--device")
    var (remark, lock) = ("", SyncLock?.none)
    defer { lock?.release() }
    if let former = try former(path) {
      switch try former.standing(at: remote, create: create, context) {
      case .attached:
        try context.output.write(try await former.bringUp(to: schema, name: name, context))
        return .success
      case .filesGone:
        try former.checkName(schema)
        name = try name ?? former.note(.deviceName)
        remark = Self.filesGone
        lock = try await former.lock(context, tries: SQLCommand.lockTries)
      case .keysGone: try former.checkReattaching(to: remote, schema, context)
      }
    } else if adopted == nil {
      try checkUnattached(path, schema)
    }
    // Nobody is asked for a password in vain.
    try RemoteArgument.check(remote, create: create)
    let plan = AttachPlan(
      path: path, schema: adopted == nil ? schema : nil,
      place: FolderRemote(path: String(try remote.identity.dropFirst("folder:".count))),
      password: try Password.normalize(context.password(for: command, create ? .create : .open)),
      deviceName: name ?? Machinery.hostName, create: create)
    try plan.carryOut(context)
    try context.output.write(
      "\(HumanText.clean(path)) is attached to \(HumanText.clean(plan.place.path)) as "
        + "\(HumanText.clean(plan.deviceName)).\n\(remark)")
    return .success
  }

  /// What is to be known when the files that this device had sent are gone.
  private static let filesGone = """
    Its former files are gone from that folder, so it goes on as a new device. Its
    next sync sends again what it had sent under its former id. Other devices send
    theirs again once they are attached again, with the same command.

    """

  private func former(_ path: String) throws -> AttachedStore? {
    let notes = try AttachedStore.readNotes(path)
    return notes[.attached] == nil ? nil : AttachedStore(path: path, notes: notes)
  }

  /// The schema of an adopted database, which is its own; nil for one that is not adopted.
  private func adoptedSchema(_ path: String, _ given: Schema?) throws -> Schema? {
    let store = AttachedStore(path: path, notes: try AttachedStore.readNotes(path))
    guard store.isAdopted else { return nil }
    guard given == nil else {
      throw ToolError.usage(
        "\(path) is adopted, so its tables say what is synced", remedy: "Leave --schema out.")
    }
    return try store.schema()
  }

  private func checkUnattached(_ path: String, _ schema: Schema) throws {
    guard try DatabaseFile.exists(path) else { return }
    try DatabaseFile.naming(path) {
      let connection = try Connection.open(path, .readOnly)
      defer { connection.close() }
      guard try !AttachedStore.isOurs(connection) else { return }
      for table in schema.tables where try hasRows(table.name, connection) {
        throw ToolError(
          .failure,
          "the table \(table.name) of \(path) has rows already, made by another program",
          remedy: "Run: tributary adopt \(path). Then attach it without --schema.")
      }
    }
  }

  private func hasRows(_ table: String, _ connection: Connection) throws -> Bool {
    let known = try connection.integer(
      "SELECT 1 FROM sqlite_master WHERE type='table' AND name=?1 COLLATE NOCASE", [.text(table)])
    guard known == 1 else { return false }
    return try connection.integer("SELECT 1 FROM \(quoted(table)) LIMIT 1") == 1
  }
}

/// Two digits a byte.
func hexadecimal(_ byte: UInt8) -> String {
  (byte < 16 ? "0" : "") + String(byte, radix: 16)
}
