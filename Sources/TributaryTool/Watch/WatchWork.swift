import Tributary
import TributaryCustody
import TributaryModel
import TributaryStore

/// What the watcher does between two waits. The live one works on a database; tests have a scripted one.
protocol WatchWork {
  /// Syncs once.
  func sync() async throws -> SyncOutput
  /// What is to be watched now.
  func place() -> WatchPlace
  /// What the database looks like from outside.
  func mark() -> [FileMark?]
  /// What a sync has left unsent.
  func unsent() -> WaitingEdits?
}

/// Edits that a sync has left: made while it ran, or not to be sent yet.
struct WaitingEdits: Equatable, Sendable {
  var writes: Int
  /// The latest edit, so that another one shows though the number is the same.
  var latest: Moment?
}

/// An attached database, opened anew for each sync.
final class WatchedDatabase: WatchWork {
  private let path: String
  private let context: ToolContext
  private var known: WatchPlace

  init(_ attached: AttachedStore, _ context: ToolContext) throws {
    path = attached.path
    self.context = context
    known = WatchPlace(database: path, remote: try attached.note(.remote))
    known.own = own(attached)
  }

  func sync() async throws -> SyncOutput {
    let attached = try AttachedStore.find(path)
    // It may be another database by now, or the same under another id.
    known.remote = try attached.note(.remote)
    defer { known.own = own(attached) }
    return try await SyncCommand.syncOnce(attached, context, ProgressBar.hidden)
  }

  func place() -> WatchPlace { known }

  func mark() -> [FileMark?] { FileMark.ofDatabase(path) }

  func unsent() -> WaitingEdits? {
    guard let attached = try? AttachedStore.find(path),
      let status = try? attached.reading(context, { try $0.status() })
    else { return nil }
    return WaitingEdits(writes: status.unsentWrites, latest: status.latestEdit)
  }

  private func own(_ attached: AttachedStore) -> String? {
    // A sync may have changed which secrets are this database's.
    let now = (try? AttachedStore.find(attached.path)) ?? attached
    return (try? now.secrets(context)).flatMap { $0 }.map { "\($0.deviceID)" }
  }
}
