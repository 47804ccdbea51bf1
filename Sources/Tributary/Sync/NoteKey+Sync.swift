package import TributaryModel
package import TributaryStore

/// What a sync keeps in the store between its runs.
extension NoteKey {
  /// Names this store's secrets and its lock.
  package static let store = NoteKey("store")
  /// Changes with every seal, here and in the secrets, so that a copy or an older state is noticed.
  package static let nonce = NoteKey("nonce")
  /// When the last sync ended, in milliseconds since 1970.
  package static let lastSync = NoteKey("lastSync")
  /// Why the last sync failed; gone once one goes well.
  static let lastFailure = NoteKey("lastFailure")
  /// What the last sync left that lasts, so that the log says it once.
  static let lasting = NoteKey("lasting")
  /// The device that stamped the local edits.
  package static let author = NoteKey("author")
  /// The devices that wrote here before, whose directories were not read to their ends.
  static let former = NoteKey("former")
  /// All devices that ever wrote here before: what they wrote is in the state.
  package static let lives = NoteKey("lives")
  /// This device's key file, so that every retry sends the same bytes.
  static let keyFile = NoteKey("keyFile")
  /// 1 once the key file is on the remote.
  static let keySent = NoteKey("keySent")
}

/// What was last written of this device's own.
extension NoteKey {
  /// The hash of what the head says, without its time.
  static let head = NoteKey("head")
  /// The counter under which the head was sealed.
  static let headCounter = NoteKey("headCounter")
  /// The hash of the head's sealed bytes.
  static let headHash = NoteKey("headHash")
  /// The hash of the schema that a log carried.
  static let schema = NoteKey("schema")
  /// The snapshot that the head names.
  static let snapshot = NoteKey("snapshot")
  /// One whose parts are not all up.
  static let snapshotPending = NoteKey("snapshotPending")
  /// The one before, which stays for those who are reading it.
  static let snapshotBefore = NoteKey("snapshotBefore")
  /// One that is to be removed from the remote.
  static let snapshotObsolete = NoteKey("snapshotObsolete")
  /// The log of a snapshot that the remote lost a part of; a later one takes its place.
  static let snapshotLost = NoteKey("snapshotLost")
  /// What the last snapshot says of devices that have no directory.
  static let snapshotAbsent = NoteKey("snapshotAbsent")
  /// Devices without a directory of which a person was told.
  static let absent = NoteKey("absent")

  /// What a new device id makes void: it speaks of files in the former one's directory.
  static let ofDirectory: [NoteKey] = [
    .head, .headHash, .schema, .snapshot, .snapshotPending, .snapshotBefore, .snapshotObsolete, .snapshotLost,
    .snapshotAbsent,
  ]
}

extension DeviceID {
  /// The devices that a note lists, one after the other; none if there is no such note.
  package static func list(_ note: Value?) -> [DeviceID] {
    guard case .blob(let bytes)? = note else { return [] }
    return stride(from: 0, to: bytes.count, by: 16).compactMap {
      DeviceID(bytes: bytes[$0..<min($0 + 16, bytes.count)])
    }
  }
}
