import SQLite
import Tributary
import TributaryCodec
import TributaryCustody
import TributaryModel
import TributaryRemotes
import TributaryStore

/// What an attached database says of itself, so that a command needs no more than its path.
struct AttachedStore {
  /// The notes that attaching leaves in the database.
  enum Note: String, CaseIterable {
    /// Names this store's secrets and its lock.
    case store
    case remote, schemaJSON, deviceName
    /// The last one written: without it, attaching did not finish.
    case attached
  }

  let path: String
  let notes: [Note: String]

  /// Reads the notes without changing anything.
  static func find(_ path: String) throws -> AttachedStore {
    let notes = try readNotes(path)
    guard notes[.attached] != nil else {
      throw ToolError(
        .notAttached, "\(path) is not attached to a remote",
        remedy: "Run: tributary attach \(path) REMOTE --schema FILE")
    }
    return AttachedStore(path: path, notes: notes)
  }

  /// No notes where there is no database, or one that Tributary never opened.
  static func readNotes(_ path: String) throws -> [Note: String] {
    guard Machinery.exists(path) else { return [:] }
    let connection = try Connection.open(path, .readOnly)
    defer { connection.close() }
    guard try isOurs(connection) else { return [:] }
    return try Note.allCases.reduce(into: [:]) { notes, note in
      let value = try connection.value(
        "SELECT value FROM tributary_meta WHERE key=?1", [.text("sync.\(note.rawValue)")])
      notes[note] = value?.string
    }
  }

  static func isOurs(_ connection: Connection) throws -> Bool {
    try connection.integer("SELECT 1 FROM sqlite_master WHERE type='table' AND name='tributary_meta'") == 1
  }

  func note(_ note: Note) throws -> String {
    guard let text = notes[note] else {
      throw ToolError(.damage, "\(path) lacks its note \"\(note.rawValue)\"")
    }
    return text
  }

  func open() throws -> StoreCore {
    let schema = try Schema(json: Array(try note(.schemaJSON).utf8))
    return try StoreCore.open(path, schema: schema, wall: Machinery.wallClock)
  }

  func resume(_ store: StoreCore, _ context: ToolContext) throws -> SyncEngine {
    let engine = try SyncEngine.resume(
      store, FolderRemote(path: try note(.remote)), deviceName: try note(.deviceName),
      vault: try context.vault(note(.store)), context.syncEnvironment)
    guard let engine else {
      throw ToolError(
        .notAttached, "this machine has no keys for \(path)",
        remedy: "If TRIBUTARY_STATE_HOME was another folder before, set it again.")
    }
    return engine
  }
}

extension ToolContext {
  func stateDirectory() throws -> StateDirectory { try StateDirectory(environment: environment) }

  func vault(_ name: String) throws -> Vault {
    Vault(FileSecretStore(directory: try stateDirectory(), machine: .current()), name: name)
  }

  /// The real clock, chance and key derivation; it stops before the next step once asked to.
  var syncEnvironment: SyncEnvironment {
    SyncEnvironment(
      wall: Machinery.wallClock, random: SystemRandom(), passwordHash: Argon2id(),
      step: { [isInterrupted] _ in if isInterrupted() { throw ToolError.interrupted } })
  }
}
