import Tributary
import TributaryCustody
import TributaryModel
import TributaryRemotes
import TributaryStore

/// Looks for damage in the database and on the remote. Changes nothing, unless asked to mend.
struct CheckCommand: CommandRunner {
  let spec = CommandSpec.check

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    let attached = try AttachedStore.find(command.argument("DATABASE") ?? "")
    let (onlyLocal, onlyRemote) = (command.has("--local"), command.has("--remote"))
    guard !(onlyLocal && onlyRemote) else {
      throw ToolError.usage("--local and --remote are both given", remedy: "Leave both out to check both.")
    }
    let repairs = command.has("--repair")
    guard !(repairs && onlyRemote) else {
      throw ToolError.usage(
        "--repair mends the database, and --remote leaves it out", remedy: "Leave out --remote.")
    }
    let secrets = onlyLocal ? try? attached.secrets(context) : try attached.secrets(context)
    let output = CheckOutput(context.output, isJSON: command.has("--json"))
    let bar = context.progressBar(for: command)
    defer { bar.finish() }
    let run = CheckRun(attached: attached, secrets: secrets, output: output, bar: bar, context: context)
    let repair = repairs ? try await CheckRepair(attached, secrets, context).run(run.findings) : nil
    var failure: (any Error)?
    try attached.reading(context) { view in
      let local = run.localCheck(view, comparedWith: repair)
      if !onlyRemote { try run.checkStore(local, view) }
      if let repair { try output.tell(repair) }
      // What was found before is still told when the remote cannot be reached.
      if !onlyLocal { do { try run.checkRemote(local, view) } catch { failure = error } }
      // The remote has the same logs, and more.
      if !onlyRemote { try run.checkOutbox(local, view, comparing: onlyLocal || failure != nil) }
    }
    bar.finish()
    try output.finish()
    if let failure {
      guard output.damage > 0 else { throw failure }
      try? context.errors.write(ToolError(explaining: failure).text)
    }
    return output.damage > 0 ? .damage : output.unread > 0 ? .held : .success
  }
}

/// One check: its parts, over one committed state.
private struct CheckRun {
  let attached: AttachedStore
  let secrets: DeviceSecrets?
  let output: CheckOutput
  let bar: ProgressBar
  let context: ToolContext

  /// - Parameter repair: what was mended before; it is told once all that is left is known.
  func localCheck(_ view: StoreView, comparedWith repair: CheckRepair.Outcome? = nil) -> StateCheck {
    StateCheck(
      view,
      report: { finding in
        bar.finish()
        if repair?.takes(finding) != true { try output.add(finding) }
      },
      step: { counts in
        try context.checkInterruption()
        bar.update("Checking records", done: max(counts.records, counts.rows), total: nil)
        output.counts = counts
      })
  }

  /// What is wrong before anything is mended, as far as it is in the store's own file.
  func findings() throws -> [StateFinding] {
    var found: [StateFinding] = []
    try attached.reading(context) { view in
      try StateCheck(
        view,
        report: { if found.count < CheckRepair.limit { found.append($0) } },
        step: { counts in
          try context.checkInterruption()
          bar.update("Checking records", done: max(counts.records, counts.rows), total: nil)
        }
      ).run()
    }
    return found
  }

  func checkStore(_ check: StateCheck, _ view: StoreView) throws {
    try check.run()
    output.checkedStore = true
  }

  func checkOutbox(_ check: StateCheck, _ view: StoreView, comparing: Bool) throws {
    if let secrets { try OutboxCheck(view, secrets: secrets).run(check, comparing: comparing) }
  }

  func checkRemote(_ local: StateCheck, _ view: StoreView) throws {
    guard let secrets else { throw attached.noKeys }
    let check = RemoteCheck(
      FolderRemote(path: try attached.note(.remote)), secrets: secrets,
      cursors: try cursors(view, secrets.deviceID),
      format: view.build.format,
      // A value that was changed in place shows only beside the log that carried it.
      onEntries: { entries, path in try local.compare(entries, with: path) },
      report: { finding in
        bar.finish()
        try output.add(finding)
      },
      step: { counts in
        try context.checkInterruption()
        bar.update("Checking files", done: counts.files, total: nil)
        output.remote = counts
      })
    check.names = try names(view)
    check.names[secrets.deviceID] = try attached.note(.deviceName)
    try check.run()
    output.remote = check.counts
  }

  /// What must be on the remote: what was read there, and what was sent, as far as that was confirmed.
  private func cursors(_ view: StoreView, _ own: DeviceID) throws -> CursorVector {
    let status = try view.status()
    return status.unsentFiles == 0 ? status.cursors : status.cursors.filter { $0.key != own }
  }

  private func names(_ view: StoreView) throws -> [DeviceID: String] {
    try KnownPeer.all(view).compactMapValues(\.name)
  }
}
