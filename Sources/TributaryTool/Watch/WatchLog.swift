import Tributary

/// Tells what the watcher does: lines for people, or one JSON object a line.
///
/// People read of a sync only if it did something, of an error once, and once of its end.
final class WatchLog {
  /// Text that did not arrive. Nothing else ends the watcher but being asked to.
  struct Failure: Error {
    let cause: any Error
  }

  /// Another sync is usual; one that goes on for longer than this is worth a line.
  static let busyPatience: Duration = .seconds(60)

  private let context: ToolContext
  private let isJSON: Bool
  private let wall: @Sendable () -> Int64
  /// The error that was told last and is not over.
  private var told: String?
  private var busySince: Duration?
  private var last: SyncReport?

  /// - Parameter wall: milliseconds since 1970.
  init(_ context: ToolContext, isJSON: Bool, wall: @escaping @Sendable () -> Int64) {
    self.context = context
    self.isJSON = isJSON
    self.wall = wall
  }

  func begins(_ place: WatchPlace, by method: String) throws {
    try tell(
      "watching",
      [
        ("database", .string(place.database)), ("remote", .string(place.remote)), ("method", .string(method)),
      ],
      "Watching \(HumanText.clean(place.database)) and \(HumanText.clean(place.remote)).")
  }

  func ends() throws { try tell("stopped", [], nil) }

  func fallsBack(_ error: NotifierExhausted, to method: String) throws {
    try tell(
      "fallback", [("method", .string(method)), ("reason", .string(error.reason))],
      "The system has no notifications of changes to give (\(error.reason)): now looking every few seconds.")
  }

  func synced(_ output: SyncOutput) throws {
    let recovers = told != nil
    (told, busySince) = (nil, nil)
    if recovers { try tell("recovered", [], "It works again.") }
    let isNews = output.report.isNews(after: last)
    last = output.report
    try tell("sync", output.members.map { ($0.key, $0.value) }, isNews ? output.text : nil)
  }

  /// - Parameter now: on the watcher's clock.
  func failed(_ error: ToolError, at now: Duration) throws {
    if error.exitCode == .busy {
      busySince = busySince ?? now
      guard now - (busySince ?? now) >= Self.busyPatience else { return }
    }
    guard told != error.text else { return }
    told = error.text
    try tell(
      "error",
      [
        ("code", .integer(Int64(error.exitCode.rawValue))), ("message", .string(error.message)),
        ("remedy", error.remedy.map { .string($0) } ?? .null),
      ], error.text, to: context.errors)
  }

  /// Nil as text is nothing for people.
  private func tell(
    _ event: String, _ members: [(String, JSONValue)], _ text: String?, to sink: (any TextSink)? = nil
  ) throws {
    do {
      if isJSON {
        let head = [("event", JSONValue.string(event)), ("milliseconds", .integer(wall()))]
        try context.output.write(
          JSONValue.object((head + members).map { JSONValue.Member(key: $0.0, value: $0.1) }).line)
      } else if let text {
        let line = text.hasSuffix("\n") ? text : text + "\n"
        try (sink ?? context.output).write("\(HumanText.time(milliseconds: wall()))  \(line)")
      }
    } catch {
      throw Failure(cause: error)
    }
  }
}

extension SyncReport {
  /// Whether a person would want to read of it, who has read of the one before.
  func isNews(after last: SyncReport?) -> Bool {
    if sent + received + conflicts + discarded > 0 { return true }
    guard let last else { return held + parked + repaired > 0 || !gaps.isEmpty || !notices.isEmpty }
    return (held, parked, repaired) != (last.held, last.parked, last.repaired) || gaps != last.gaps
      || notices != last.notices
  }
}
