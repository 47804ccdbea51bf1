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
    let schema = try Schema(
      json: TextFile.read(command.value("--schema") ?? "", limit: Self.schemaLimit))
    try checkDatabase(path, schema)
    let remote = FolderRemote(path: command.argument("REMOTE") ?? "")
    let password = try Password.normalize(context.password(for: command, create ? .create : .open))
    try remote.prepare(create: create)
    let name = command.value("--device") ?? Machinery.hostName
    // A fresh name each time: an attempt that failed may have left secrets, and a copied database must not reach
    // those of its original.
    let id = SystemRandom().bytes(16).map(hexadecimal).joined()
    let lock = try SyncLock.take(id, in: context.stateDirectory())
    defer { lock.release() }
    let store = try StoreCore.open(path, schema: schema, wall: Machinery.wallClock)
    defer { store.close() }
    let place = FolderRemote(path: String(try remote.identity.dropFirst("folder:".count)))
    _ = try SyncEngine.attach(
      store, to: place, password: password, deviceName: name, create: create,
      vault: context.vault(id), context.syncEnvironment)
    try store.engineWrite {
      let notes: [(AttachedStore.Note, String)] = [
        (.store, id), (.remote, place.path), (.schemaJSON, schema.json), (.deviceName, name),
        (.attached, "1"),
      ]
      for (note, text) in notes { try store.setNote(note.rawValue, .text(text)) }
    }
    try context.output.write(
      "\(HumanText.clean(path)) is attached to \(HumanText.clean(place.path)) as \(HumanText.clean(name)).\n")
    return .success
  }

  private func checkDatabase(_ path: String, _ schema: Schema) throws {
    guard Machinery.exists(path) else { return }
    guard try AttachedStore.readNotes(path)[.attached] == nil else {
      throw ToolError(.failure, "\(path) is attached already", remedy: "Attaching again is not built yet.")
    }
    let connection = try Connection.open(path, .readOnly)
    defer { connection.close() }
    guard try !AttachedStore.isOurs(connection) else { return }
    for table in schema.tables where try hasRows(table.name, connection) {
      throw ToolError(
        .failure,
        "the table \(table.name) of \(path) has rows already; adopting a filled database is not built yet",
        remedy: "Create the database with `attach` and then load rows through `tributary sql`.")
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
