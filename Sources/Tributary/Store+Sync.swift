import TributaryModel
import TributaryStore

extension Store {
  func sync(_ place: String) throws -> SyncReport {
    let core = try opened()
    guard let attachment, attachment.place == place else {
      throw SyncError(.notAttached, "The store is not attached to a remote. Attach it first.")
    }
    // A sync that fails may have merged something before.
    defer { refreshObservers() }
    do {
      let report = try core.logging(wall: WallClock.milliseconds) {
        try attachment.sync(core) { board.show(SyncProgress(.checking)) }
      }
      showState { status in
        status.phase = .idle
        status.lastError = nil
        status.lastReport = report
      }
      return report
    } catch {
      fail(error)
      throw error
    }
  }

  private func fail(_ error: any Error) {
    let failure = SyncStatus.Failure(code: (error as? SyncError)?.code, message: "\(error)")
    showState { status in
      status.phase = .failed
      status.lastError = failure
    }
  }

  /// Changes the status, and brings what the database says of it up to date.
  func showState(_ change: (inout SyncStatus) -> Void) {
    // Only the store's own queue changes the status, so the database is not read under the board's lock.
    var status = board.status
    change(&status)
    status.done = 0
    status.total = nil
    // The database was just written; if it cannot be read now, what was known before is shown on.
    if let core, let engine = attachment?.engine {
      if let files = try? core.unsentFileCount() { attachment?.unsentFiles = files }
      if let time = try? core.note(.lastSync)?.integer { status.lastSync = time }
      try? status.bringUp(from: core, own: engine.device)
    }
    status.pending = pending() ?? status.pending
    board.update { $0 = status }
  }

  /// Shows what a write left to upload.
  func refreshPending() {
    guard let pending = pending(), pending != board.status.pending else { return }
    board.update { $0.pending = pending }
  }

  /// Nil while the store is not attached. The write that led here is committed, so a failure to count is not its own.
  private func pending() -> Int? {
    guard let core, let attachment, let writes = try? core.unsealedWrites() else { return nil }
    return writes + attachment.unsentFiles
  }
}
