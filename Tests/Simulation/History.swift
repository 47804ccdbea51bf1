import Foundation
import TestSupport
import TributaryModel

/// What happened in a run, step by step: the trace of a failure, and JSON Lines for a model outside to check.
struct History {
  struct Step: Encodable {
    struct SQL: Encodable {
      var sql: String
      var values: [String]
    }

    var step: Int
    /// The world's clock, in milliseconds; the device's own is `skew` off.
    var time: Int64
    var skew: Int64
    var device: String
    var operation: String
    var statements: [SQL] = []
    var outcome = "done"
    /// The edits that the transaction committed, with their stamps.
    var edits: [String] = []
    var sent: Int?
    var received: Int?
    var held: Int?
    var gaps: [String: String]?
  }

  /// A device when the run has ended.
  struct Final: Encodable {
    var device: String
    var id: String
    var state: [String]
    var rows: [String: [[String]]]
  }

  private(set) var steps: [Step] = []
  private(set) var finals: [Final] = []

  var count: Int { steps.count }

  mutating func append(_ step: Step) { steps.append(step) }
  mutating func append(_ final: Final) { finals.append(final) }

  /// The last steps for a reader, oldest first.
  var trace: String { steps.suffix(250).map(\.line).joined(separator: "\n") }

  /// One JSON object a line.
  func jsonLines() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let lines = try steps.map { try encoder.encode($0) } + finals.map { try encoder.encode($0) }
    return lines.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
  }
}

extension History.Step {
  init(_ number: Int, _ operation: Operation, on device: String, _ world: SimulatedWorld) {
    step = number
    time = world.now
    skew = world.skew(of: device)
    self.device = device
    self.operation = operation.name
    statements = operation.statements.map { SQL(sql: $0.sql, values: $0.values.map(\.literal)) }
  }

  fileprivate var line: String {
    var line = "\(step) \(device) \(operation): \(outcome)"
    for statement in statements {
      line += "\n      \(statement.sql) [\(statement.values.map { $0.prefix(60) }.joined(separator: ", "))]"
    }
    for edit in edits { line += "\n      -> \(edit.prefix(200))" }
    if let sent, let received { line += ", sent \(sent), received \(received), held \(held ?? 0)" }
    for (peer, reason) in (gaps ?? [:]).sorted(by: { $0.key < $1.key }) {
      line += "\n      \(peer): \(reason)"
    }
    return line
  }
}

extension Stamp {
  /// For example `1700000000000.3@abcdef`.
  var brief: String { "\(moment.milliseconds).\(moment.counter)@\("\(device)".prefix(6))" }
}

extension RecordName {
  var brief: String { "\(type)(\((id.values ?? []).map(\.literal).joined(separator: ",")))" }
}

extension Entry {
  /// All of a record's state in one line that does not depend on the device that tells it.
  var line: String {
    var line = name.brief
    if let born = change.born { line += " born \(born.brief)" }
    for delete in change.deletes {
      line += " deleted \(delete.stamp.brief)\(delete.erases ? " erasing" : "")"
    }
    for field in change.fields {
      let stamp = field.stamp.map(\.brief) ?? "-"
      let life = field.register?.life.map { " of \($0.brief)" } ?? ""
      line += " \(field.name)=\(field.value.literal) \(stamp)\(life)"
    }
    return line
  }
}
