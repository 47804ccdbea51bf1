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
    let remote = FolderRemote(path: command.argument("REMOTE") ?? "")
    if let former = try former(path) {
      if let done = try former.alreadyAttached(to: remote, context) {
        try context.output.write(done)
        return .success
      }
      try former.checkReattaching(to: remote, schema, create: create, context)
    } else {
      try checkUnattached(path, schema)
    }
    // Nobody is asked for a password in vain.
    if !create { try remote.prepare(create: false) }
    let password = try Password.normalize(context.password(for: command, create ? .create : .open))
    try remote.prepare(create: create)
    let name = command.value("--device") ?? Machinery.hostName
    let place = FolderRemote(path: String(try remote.identity.dropFirst("folder:".count)))
    let plan = AttachPlan(
      path: path, schema: schema, place: place, password: password, deviceName: name, create: create)
    try plan.carryOut(context)
    try context.output.write(
      "\(HumanText.clean(path)) is attached to \(HumanText.clean(place.path)) as \(HumanText.clean(name)).\n")
    return .success
  }

  private func former(_ path: String) throws -> AttachedStore? {
    let notes = try AttachedStore.readNotes(path)
    return notes[.attached] == nil ? nil : AttachedStore(path: path, notes: notes)
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
          "the table \(table.name) of \(path) has rows already; adopting a filled database is not built yet",
          remedy: "Create the database with `attach` and then load rows through `tributary sql`.")
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

/// An attach whose questions are answered.
private struct AttachPlan {
  let path: String
  let schema: Schema
  let place: FolderRemote
  let password: Secret
  let deviceName: String
  let create: Bool

  func carryOut(_ context: ToolContext) throws {
    // A fresh name each time: an attempt that failed may have left secrets, and a copied database must not reach
    // those of its original.
    let id = SystemRandom().bytes(16).map(hexadecimal).joined()
    let lock = try SyncLock.take(id, in: context.stateDirectory())
    defer { lock.release() }
    try DatabaseFile.naming(path) {
      let store = try StoreCore.open(path, schema: schema, wall: Machinery.wallClock)
      defer { store.close() }
      let former = try store.note(.store)
      _ = try SyncEngine.attach(
        store, to: place, password: password, deviceName: deviceName, create: create,
        vault: context.vault(id), context.syncEnvironment)
      // The engine may have noted by itself where it put the secrets.
      let noted = try store.note(.store)
      try store.engineWrite {
        let notes: [(AttachedStore.Note, String)] = [
          (.remote, place.path), (.schemaJSON, schema.json), (.deviceName, deviceName), (.attached, "1"),
        ]
        if noted == former { try store.setNote(.store, .text(id)) }
        for (note, text) in notes { try store.setNote(note.key, .text(text)) }
      }
    }
  }
}

/// Attaching what was attached before.
extension AttachedStore {
  /// What to say if this device can go on as it is; nil if its keys are gone, or are those of another copy, or its files
  /// are no longer on the remote.
  /// - Throws: if it is attached to another place.
  fileprivate func alreadyAttached(to remote: FolderRemote, _ context: ToolContext) throws -> String? {
    guard let secrets = try secrets(context), try isOwn(secrets, context) else { return nil }
    let old = try note(.remote)
    guard isSame(old, remote) else {
      throw ToolError(
        .failure, "\(path) is attached to \(old) already, and stays with it",
        remedy:
          "If that folder has moved, put it back, or make \(old) a link to it. To start elsewhere, attach a new "
          + "file there, and load it with `tributary sql`.")
    }
    if try isGone(secrets.deviceID, from: remote) { return nil }
    return "\(HumanText.clean(path)) is attached to \(HumanText.clean(old)) as "
      + "\(HumanText.clean(try note(.deviceName))) already. Nothing was done; `tributary sync` goes on.\n"
  }

  /// Whether the keys belong to this very database: one that was copied or restored has another mark.
  private func isOwn(_ secrets: DeviceSecrets, _ context: ToolContext) throws -> Bool {
    guard case .blob(let nonce)? = try reading(context, { try $0.note(.nonce) }) else { return false }
    return nonce == secrets.marks.databaseNonce || nonce == secrets.marks.pendingNonce
  }

  /// A folder that cannot be looked at now proves nothing.
  private func isGone(_ device: DeviceID, from remote: FolderRemote) throws -> Bool {
    guard let listing = try? remote.list(device: nil) else { return false }
    return listing.complete && !listing.devices.contains(device)
  }

  private func isSame(_ old: String, _ remote: FolderRemote) -> Bool {
    if old == remote.path { return true }
    guard let known = try? FolderRemote(path: old).identity else { return false }
    return known == (try? remote.identity)
  }

  /// Without keys it becomes a new device, which must find the set that it knows.
  fileprivate func checkReattaching(
    to remote: FolderRemote, _ schema: Schema, create: Bool, _ context: ToolContext
  ) throws {
    let name = try self.schema().name
    guard schema.name == name else {
      throw ToolError(
        .failure, "\(path) is “\(name)”, and the schema file is “\(schema.name)”",
        remedy: "Give the schema file that the database was attached with.")
    }
    let known = Set(try reading(context) { try $0.cursors().keys })
    let there = try remote.list(device: nil).devices
    guard !known.isEmpty, known.isDisjoint(with: there) else { return }
    // Its own folder, emptied: this device begins the set anew with all that it holds.
    if create, there.isEmpty, isSame(try note(.remote), remote) { return }
    throw ToolError(
      .failure, "\(remote.path) holds none of the devices that \(path) has synced with",
      remedy:
        "Give the folder of its own set, \(try note(.remote)) or a copy of it. To start a new set, attach a new "
        + "file, and load it with `tributary sql`.")
  }
}

/// Two digits a byte.
func hexadecimal(_ byte: UInt8) -> String {
  (byte < 16 ? "0" : "") + String(byte, radix: 16)
}
