import TributaryModel
import TributaryStore

/// What `status` says of a record that a constraint keeps out of its table, or lets in with repaired values only.
struct PutAsideLine {
  /// The most records that are named.
  static let limit = 20

  let item: PutAside

  init(_ item: PutAside) { self.item = item }

  var text: String {
    let state = item.isParked ? "parked" : "repaired"
    return HumanText.clean("\(state): \(Self.name(item.table, item.key)): \(reason)")
  }

  var json: JSONValue {
    [
      "table": .string(item.table), "key": .array(item.key.map(JSONValue.init(sql:))),
      "columns": .array(item.columns.map { .string($0) }), "reason": .string(reason),
    ]
  }

  /// Why it is not as its state has it.
  var reason: String {
    let shown = item.columns.isEmpty ? "" : "\(Self.list(item.columns)) shown otherwise: "
    return shown + cause
  }

  private var cause: String {
    switch item.cause {
    case .unique(let columns, let other):
      "\(Self.list(columns)) must be unique, and \(Self.name(item.table, other)) has the same"
    case .reference(let columns, let parent, let values):
      "\(Self.list(columns)) refers to \(Self.name(parent, values)), which is not there"
    case .missing(let column): "\(column) must have a value, and has none"
    case .unknown: "a constraint"
    }
  }

  private static func name(_ table: String, _ key: [Value]) -> String {
    key.isEmpty ? table : "\(table) \(key.map(CheckOutput.text).joined(separator: ", "))"
  }

  private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
