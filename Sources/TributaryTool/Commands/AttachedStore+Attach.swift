import Tributary
import TributaryCodec
import TributaryCustody
import TributaryModel
import TributaryRemotes
import TributaryStore

/// Attaching what was attached before.
extension AttachedStore {
  /// How a database that was attached stands to the place that it is to be attached to now.
  enum Standing {
    /// It can go on as it is.
    case attached
    /// The place is the same, and this device's files are not there any more.
    case filesGone
    /// The keys are not on this machine, or are those of another copy.
    case keysGone
  }

  /// - Throws: if it is attached to another place.
  func standing(at remote: FolderRemote, create: Bool, _ context: ToolContext) throws -> Standing {
    guard let secrets = try secrets(context), try isOwn(secrets, context) else { return .keysGone }
    let old = try note(.remote)
    guard isSame(old, remote) else {
      throw ToolError(
        .failure, "\(path) is attached to \(old) already, and stays with it",
        remedy:
          "If that folder has moved, put it back, or make \(old) a link to it. To start elsewhere, attach a new "
          + "file there, and load it with `tributary sql`.")
    }
    // While the folder is away there is nothing to mend, and a new schema can be taken.
    guard create || Machinery.kind(remote.path) == .directory else { return .attached }
    try RemoteArgument.checkFolder(remote)
    let listing = try remote.list(device: nil)
    return listing.complete && !listing.devices.contains(secrets.deviceID) ? .filesGone : .attached
  }

  /// Takes another schema or name in a database that goes on as it is, and says what was done.
  func bringUp(to schema: Schema, name: String?, _ context: ToolContext) async throws -> String {
    let (knownName, remote) = (try note(.deviceName), try note(.remote))
    let isNewSchema = try checkName(schema).json != schema.json
    let isNewName = name.map { $0 != knownName } ?? false
    if isNewSchema || isNewName {
      let lock = try await lock(context, tries: SQLCommand.lockTries)
      defer { lock.release() }
      try DatabaseFile.naming(path) {
        let store = try isAdopted ? open() : StoreCore.open(path, schema: schema, wall: Machinery.wallClock)
        defer { store.close() }
        try store.engineWrite {
          if !isAdopted { try store.setNote(Note.schemaJSON.key, .text(schema.json)) }
          if let name { try store.setNote(Note.deviceName.key, .text(name)) }
        }
      }
    }
    var done = isNewSchema ? " The schema was brought up to date." : ""
    if isNewName { done += " This device was called \(knownName) before." }
    if done.isEmpty { done = " Nothing was done." }
    return HumanText.clean("\(path) is attached to \(remote) as \(name ?? knownName) already.\(done)")
      + "\n`tributary sync` goes on.\n"
  }

  /// The schema that is known here, if `schema` may take its place.
  @discardableResult
  func checkName(_ schema: Schema) throws -> Schema {
    let known = try self.schema()
    guard schema.name == known.name else {
      throw ToolError(
        .failure, "\(path) is “\(known.name)”, and the schema file is “\(schema.name)”",
        remedy: "Give the schema file that the database was attached with, or a later one of the same name.")
    }
    guard schema.version >= known.version else {
      throw ToolError(
        .failure,
        "\(path) has version \(known.version) of its schema, and the file is version \(schema.version)",
        remedy: "Give the later schema file.")
    }
    return known
  }

  /// Without keys it becomes a new device, which must find the set that it knows.
  func checkReattaching(to remote: FolderRemote, _ schema: Schema, _ context: ToolContext) throws {
    try checkName(schema)
    let old = try note(.remote)
    // Its own place may have been emptied since, and begun anew.
    if isSame(old, remote) { return }
    try RemoteArgument.checkFolder(remote)
    let known = Set(try reading(context) { try $0.cursors().keys })
    guard !known.isEmpty, known.isDisjoint(with: try remote.list(device: nil).devices) else { return }
    throw ToolError(
      .failure, "\(remote.path) holds none of the devices that \(path) has synced with",
      remedy:
        "Give the folder of its own set, \(old) or a copy of it. To start a new set, attach a new "
        + "file, and load it with `tributary sql`.")
  }

  /// Whether the keys belong to this very database: one that was copied or restored has another mark.
  private func isOwn(_ secrets: DeviceSecrets, _ context: ToolContext) throws -> Bool {
    guard case .blob(let nonce)? = try reading(context, { try $0.note(.nonce) }) else { return false }
    return nonce == secrets.marks.databaseNonce || nonce == secrets.marks.pendingNonce
  }

  private func isSame(_ old: String, _ remote: FolderRemote) -> Bool {
    if old == remote.path { return true }
    guard let known = try? FolderRemote(path: old).identity else { return false }
    return known == (try? remote.identity)
  }
}
