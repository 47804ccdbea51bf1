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
    /// Here when other programs write the database.
    case adoption
    /// The last one that attaching writes: without it, attaching did not finish.
    case attached

    var key: NoteKey { NoteKey(rawValue) }
  }

  let path: String
  let notes: [Note: String]

  /// Reads the notes without changing anything.
  static func find(_ path: String) throws -> AttachedStore {
    guard try DatabaseFile.exists(path) else {
      throw ToolError(
        .notAttached, "there is no database at \(path)",
        remedy: "Check the path. To make one from a remote: tributary join \(path) REMOTE")
    }
    let notes = try readNotes(path)
    guard notes[.attached] != nil else {
      throw ToolError(
        .notAttached, "\(path) is not attached to a remote",
        remedy: notes[.adoption] == nil
          ? "If it is a program's own: tributary adopt \(path). Then: tributary attach \(path) REMOTE"
          : "Run: tributary attach \(path) REMOTE")
    }
    return AttachedStore(path: path, notes: notes)
  }

  /// No notes where there is no database, or one that Tributary never opened.
  static func readNotes(_ path: String) throws -> [Note: String] {
    guard try DatabaseFile.exists(path) else { return [:] }
    return try DatabaseFile.namingToRead(path) {
      let connection = try Connection.open(path, .readOnly)
      defer { connection.close() }
      guard try isOurs(connection) else { return [:] }
      return try Note.allCases.reduce(into: [:]) { notes, note in
        let value = try connection.value(
          "SELECT value FROM tributary_meta WHERE key=?1", [note.key.stored])
        notes[note] = value?.string
      }
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

  func schema() throws -> Schema { try Schema(json: Array(try note(.schemaJSON).utf8)) }

  /// Opens the store to write, which waits a few seconds for whoever writes just now.
  ///
  /// - Parameter look: how closely an adopted database is looked at.
  func open(_ look: AdoptedLook = .atTables) throws -> StoreCore {
    try DatabaseFile.naming(path) {
      try isAdopted
        ? StoreCore.openAdopted(path, look, wall: Machinery.wallClock)
        : StoreCore.open(path, schema: try schema(), wall: Machinery.wallClock)
    }
  }

  /// Whether other programs write the database.
  var isAdopted: Bool { notes[.adoption] != nil }

  /// Runs `body` over one committed state, without waiting for anyone.
  func reading<T>(_ context: ToolContext, _ body: (StoreView) throws -> T) throws -> T {
    let schema = try schema()
    return try DatabaseFile.namingToRead(path) {
      let view = try StoreView.open(path, schema: schema)
      defer { view.close() }
      view.stop(when: context.isInterrupted)
      return try view.read { try body(view) }
    }
  }

  /// This device's secrets for the store; nil if this machine has none that it can use.
  func secrets(_ context: ToolContext) throws -> DeviceSecrets? {
    let vault = try context.vault(note(.store))
    do { return try vault.secrets.read(vault.name).map { try DeviceSecrets(decoding: $0) } } catch let error
      as CustodyError where error.code == .damaged
    {
      return nil
    }
  }

  func resume(
    _ store: StoreCore, _ context: ToolContext, _ environment: SyncEnvironment
  ) throws -> SyncEngine {
    let engine = try SyncEngine.resume(
      store, FolderRemote(path: try note(.remote)), deviceName: try note(.deviceName),
      vault: try context.vault(note(.store)), environment)
    guard let engine else { throw noKeys }
    return engine
  }

  var noKeys: ToolError {
    ToolError(
      .notAttached, "this machine has no keys for \(path)",
      remedy:
        "If TRIBUTARY_STATE_HOME was another folder before, set it again. Else run `tributary attach` again, "
        + "which makes this a new device.")
  }

  /// Keeps other syncs off. One that is running is waited for, a tenth of a second at a time.
  func lock(_ context: ToolContext, tries: Int) async throws -> SyncLock {
    let (name, directory) = (try note(.store), try context.stateDirectory())
    for attempt in 1... {
      do { return try stillNamed(name, SyncLock.take(name, in: directory)) } catch let error as CustodyError
        where error.code == .busy && attempt < tries
      {
        if context.isInterrupted() { throw ToolError.interrupted }
        try await Task.sleep(for: .milliseconds(100))
      }
    }
    throw ToolError.interrupted
  }
}

extension AttachedStore {
  /// The lock's name goes with the device's identity, which another process may have changed meanwhile.
  private func stillNamed(_ name: String, _ lock: SyncLock) throws -> SyncLock {
    guard try Self.readNotes(path)[.store] == name else {
      lock.release()
      throw ToolError(.busy, "\(path) got another identity just now", remedy: "Run it again.")
    }
    return lock
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

  func checkInterruption() throws {
    if isInterrupted() { throw ToolError.interrupted }
  }
}
