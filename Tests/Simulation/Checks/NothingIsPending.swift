@testable import TributaryStore

extension Check {
  /// No edit waits to be settled or uploaded, and nothing is held.
  static let nothingIsPending = Check("nothing is pending") { run in
    try run.devices.flatMap { device in
      let store = device.store
      let last = try store.changeLog.lastSeq
      let counts = [
        ("unsettled rows", last - (try store.meta.integer(.settled))),
        ("unsealed rows", last - (try store.meta.integer(.sealed))),
        ("unsent edits", Int64(try store.unsentEdits(of: device.device).count)),
        ("unsent files", Int64(try store.unsentNames().count)),
        ("held entries", Int64(try store.held().count)),
        ("tables with edits to take over", try store.drain?.isEmpty() ?? true ? 0 : 1),
      ]
      return counts.filter { $0.1 != 0 }.map { "\(device.name) has \($0.1) \($0.0)" }
    }
  }
}
