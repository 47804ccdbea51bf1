import Tributary
import TributaryCodec
import TributaryCustody
import TributaryModel
import TributaryRemotes
import TributaryStore

/// An attach whose questions are answered.
struct AttachPlan {
  let path: String
  /// Nil for a database that is adopted, whose schema is its own.
  let schema: Schema?
  let place: FolderRemote
  let password: Secret
  let deviceName: String
  let create: Bool

  /// Attaches; a failure leaves no database that was not there before.
  func carryOut(_ context: ToolContext) throws {
    // A fresh name each time: an attempt that failed may have left secrets, and a copied database must not reach
    // those of its original.
    let id = SystemRandom().bytes(16).map(hexadecimal).joined()
    let lock = try SyncLock.take(id, in: context.stateDirectory())
    defer { lock.release() }
    let isNew = try !DatabaseFile.exists(path)
    do { try attach(id, context) } catch {
      if isNew {
        DatabaseFile.remove(path)
        let vault = try? context.vault(id)
        try? vault?.secrets.remove(id)
      }
      throw error
    }
  }

  private func attach(_ id: String, _ context: ToolContext) throws {
    try DatabaseFile.naming(path) {
      let store =
        try schema.map { try StoreCore.open(path, schema: $0, wall: Machinery.wallClock) }
        ?? StoreCore.openAdopted(path, wall: Machinery.wallClock)
      defer { store.close() }
      let former = try store.note(.store)
      _ = try SyncEngine.attach(
        store, to: place, password: password, deviceName: deviceName, create: create,
        vault: context.vault(id), context.syncEnvironment)
      // The engine may have noted by itself where it put the secrets.
      let noted = try store.note(.store)
      try store.engineWrite {
        let notes: [(AttachedStore.Note, String)] = [
          (.remote, place.path), (.schemaJSON, store.schema.json), (.deviceName, deviceName),
          (.attached, "1"),
        ]
        if noted == former { try store.setNote(.store, .text(id)) }
        for (note, text) in notes { try store.setNote(note.key, .text(text)) }
      }
    }
  }
}
