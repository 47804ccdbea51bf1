import Tributary
import TributaryCustody
import TributaryModel
import TributaryStore

/// Syncs once, or again and again.
struct SyncCommand: CommandRunner {
  let spec = CommandSpec.sync

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    if command.has("--watch") { return try await watch(command, in: context) }
    guard command.value(WatchInterval.option.name) == nil else {
      throw ToolError.usage("--every goes with --watch only")
    }
    return try await sync(command.argument("DATABASE") ?? "", command, context)
  }

  /// Syncs the database at the path once, and says what happened.
  func sync(_ path: String, _ command: ParsedCommand, _ context: ToolContext) async throws -> ExitCode {
    let bar = context.progressBar(for: command)
    defer { bar.finish() }
    let output = try await Self.syncOnce(AttachedStore.find(path), context, bar)
    try context.output.write(command.has("--json") ? output.json.line : output.text)
    let report = output.report
    return report.held > 0 || report.parked > 0 || !report.gaps.isEmpty ? .held : .success
  }

  /// One sync, from taking the lock to closing the database; `--watch` does it again and again.
  static func syncOnce(
    _ attached: AttachedStore, _ context: ToolContext, _ bar: ProgressBar
  ) async throws -> SyncOutput {
    let lock = try await attached.lock(context, tries: 1)
    defer { lock.release() }
    let store = try attached.open()
    defer { store.close() }
    var environment = context.syncEnvironment
    environment.progress = { bar.update(label($0.phase), done: $0.done, total: $0.total) }
    let report = try DatabaseFile.naming(attached.path) {
      try store.logging(wall: Machinery.wallClock, isFailure: ToolError.isFailure) {
        try attached.resume(store, context, environment).sync()
      }
    }
    bar.finish()
    let names = try? attached.reading(context) { try KnownPeer.all($0).compactMapValues(\.name) }
    return SyncOutput(report: report, names: names ?? [:])
  }

  private static func label(_ phase: SyncProgress.Phase) -> String {
    switch phase {
    case .checking: "Looking at the remote"
    case .reading: "Reading"
    case .sealing: "Sealing"
    case .uploading: "Uploading"
    }
  }
}

/// What a sync did, for people and for programs.
struct SyncOutput {
  let report: SyncReport
  /// What the devices call themselves.
  var names: [DeviceID: String] = [:]

  var text: String {
    let counts: [(Int, String)] = [
      (report.conflicts, "overruled"), (report.held, "held for later"),
      (report.parked, "parked by a constraint"),
      (report.repaired, "shown repaired"), (report.discarded, "broken and dropped"),
    ]
    let more = counts.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
    let cost =
      "\(HumanText.number(report.requests, "request")), \(HumanText.bytes(report.bytesRead)) down, "
      + "\(HumanText.bytes(report.bytesWritten)) up"
    let gaps = report.gaps.sorted { $0.key < $1.key }.map { device, reason in
      "  device \(named(device)) was not read to its end: \(HumanText.clean(reason))\n"
    }
    let notices = report.notices.map { notice in
      "  note: " + (notice.device.map { "device \(named($0)): " } ?? "") + HumanText.clean(notice.message)
        + "\n"
    }
    let hint =
      report.held + report.parked + report.repaired > 0 ? "  `tributary status` says which, and why.\n" : ""
    return "Sent \(report.sent), received \(report.received)\(more) (\(cost)).\n"
      + hint + (gaps + notices).joined()
  }

  private func named(_ device: DeviceID) -> String {
    names[device].map { "\(device) (\(HumanText.clean($0)))" } ?? "\(device)"
  }

  var json: JSONValue { .object(members) }

  var members: [JSONValue.Member] {
    let counts: [(String, Int)] = [
      ("sent", report.sent), ("received", report.received), ("conflicts", report.conflicts),
      ("held", report.held), ("discarded", report.discarded), ("parked", report.parked),
      ("repaired", report.repaired), ("filesWritten", report.filesWritten), ("requests", report.requests),
      ("bytesRead", report.bytesRead), ("bytesWritten", report.bytesWritten),
    ]
    let gaps = report.gaps.sorted { $0.key < $1.key }.map {
      JSONValue.Member(key: "\($0.key)", value: .string($0.value))
    }
    let notices = report.notices.map { notice -> JSONValue in
      [
        "code": .string("\(notice.code)"), "device": notice.device.map { .string("\($0)") } ?? .null,
        "message": .string(notice.message),
      ]
    }
    return counts.map { JSONValue.Member(key: $0.0, value: .integer(Int64($0.1))) }
      + [
        JSONValue.Member(key: "gaps", value: .object(gaps)),
        JSONValue.Member(key: "notices", value: .array(notices)),
      ]
  }
}
