import TributaryCustody

extension SyncCommand {
  /// Syncs again and again, until it is asked to stop.
  func watch(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    var timing = WatchTiming()
    timing.every = try WatchInterval.of(command) ?? timing.every
    let attached = try AttachedStore.find(command.argument("DATABASE") ?? "")
    let lock = try attached.watchLock(context)
    defer { lock.release() }
    let wake = Interruption.descriptor
    let poll = { PollingNotifier(wake: wake) }
    let log = WatchLog(context, isJSON: command.has("--json"), wall: Machinery.wallClock)
    let watcher = try Watcher(
      WatchedDatabase(attached, context), notifier(wake, or: poll, log), fallback: poll, timing: timing,
      clock: .live, log: log, isInterrupted: context.isInterrupted)
    do { try await watcher.run() } catch let failure as WatchLog.Failure { throw failure.cause }
    return .success
  }

  private func notifier(
    _ wake: Int32, or fallback: () -> any ChangeNotifier, _ log: WatchLog
  ) throws -> any ChangeNotifier {
    do { return try SystemNotifier(wake: wake) } catch let error as NotifierExhausted {
      let notifier = fallback()
      try log.fallsBack(error, to: notifier.method)
      return notifier
    }
  }
}

extension AttachedStore {
  /// Two watchers of one database would take each other's notes for edits, and never rest.
  fileprivate func watchLock(_ context: ToolContext) throws -> SyncLock {
    do {
      return try SyncLock.take("\(try note(.store))-watch", in: context.stateDirectory())
    } catch let error as CustodyError where error.code == .busy {
      throw ToolError(
        .busy, "\(path) is being watched already",
        remedy: "One watcher is enough; stop the other to start anew.",
        cause: error)
    }
  }
}

/// The option that says how often to sync without any change.
enum WatchInterval {
  static let option = OptionSpec(
    name: "--every", valueName: "SECONDS",
    summary: "Sync at least so often while watching, from 10 to 86400; 300 if not given.")

  private static let range = 10...86_400

  static func of(_ command: ParsedCommand) throws -> Duration? {
    guard let text = command.value(option.name) else { return nil }
    guard let seconds = Int(text), range.contains(seconds) else {
      throw ToolError.usage(
        "--every needs a number of seconds from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
    }
    return .seconds(seconds)
  }
}
