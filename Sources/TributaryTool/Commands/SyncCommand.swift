import Tributary
import TributaryCustody
import TributaryModel
import TributaryStore

/// Syncs once.
struct SyncCommand: CommandRunner {
  let spec = CommandSpec.sync

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    let attached = try AttachedStore.find(command.argument("DATABASE") ?? "")
    let lock = try SyncLock.take(attached.note(.store), in: context.stateDirectory())
    defer { lock.release() }
    let store = try attached.open()
    defer { store.close() }
    let report = try attached.resume(store, context).sync()
    try context.output.write(command.has("--json") ? json(report).line : text(report))
    return report.held > 0 || report.parked > 0 || !report.gaps.isEmpty ? .held : .success
  }

  private func text(_ report: SyncReport) -> String {
    let counts: [(Int, String)] = [
      (report.conflicts, "overruled"), (report.held, "held for later"),
      (report.parked, "parked by a constraint"),
      (report.repaired, "shown repaired"), (report.discarded, "broken and dropped"),
    ]
    let more = counts.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
    let gaps = sorted(report.gaps).map { "  device \($0.0) was not read to its end: \($0.1)\n" }.joined()
    return "Sent \(report.sent), received \(report.received)\(more).\n\(gaps)"
  }

  private func json(_ report: SyncReport) -> JSONValue {
    let counts: [(String, Int)] = [
      ("sent", report.sent), ("received", report.received), ("conflicts", report.conflicts),
      ("held", report.held), ("discarded", report.discarded), ("parked", report.parked),
      ("repaired", report.repaired), ("filesWritten", report.filesWritten),
    ]
    let gaps = sorted(report.gaps).map { JSONValue.Member(key: $0.0, value: .string($0.1)) }
    return .object(
      counts.map { JSONValue.Member(key: $0.0, value: .integer(Int64($0.1))) }
        + [JSONValue.Member(key: "gaps", value: .object(gaps))])
  }

  private func sorted(_ gaps: [DeviceID: String]) -> [(String, String)] {
    gaps.map { ("\($0.key)", $0.value) }.sorted { $0.0 < $1.0 }
  }
}
