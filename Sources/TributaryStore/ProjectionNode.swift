import TributaryModel

/// One record while its projection is worked out: what its state asks for, and what the constraints leave of it.
final class ProjectionNode {
  struct Name: Hashable, Comparable {
    let type: Int64
    let id: RecordID
    static func < (left: Name, right: Name) -> Bool {
      left.type == right.type ? left.id < right.id : left.type < right.type
    }
  }

  let name: Name
  let access: RowAccess
  var record: StoredRecord
  /// Whether the record is to be in the table.
  var isPresent = false
  /// The row to show, in the order of the shape's fields.
  var row: [Value] = []
  /// Why the database itself refused the row, if it did.
  var refusal: String?

  init(_ name: Name, _ access: RowAccess, _ record: StoredRecord) {
    self.name = name
    self.access = access
    self.record = record
  }

  /// Back to what the state asks for, before any repair.
  func restart() {
    row = access.shape.fields.map { record.state[$0.name]?.value ?? $0.defaultValue ?? .null }
    isPresent = record.state.isVisible() && refusal == nil && isWhole
  }

  /// Whether every column that must have a value has one.
  var isWhole: Bool {
    for (index, field) in access.shape.fields.enumerated() where field.isNotNull && row[index].isNull {
      return false
    }
    return true
  }

  /// The order in which records claim unique values: the latest edit of a constrained field first.
  var claim: Stamp {
    let names = Set(access.shape.unique.flatMap(\.columns))
    let stamps = record.state.fields.filter { names.contains($0.name) }.compactMap(\.stamp)
    return stamps.max() ?? record.state.born ?? Stamp(Moment(raw: 0), DeviceID(high: 0, low: 0))
  }

  /// The values that a row has in the named columns, key columns included.
  func values(_ names: [String], in row: [Value]) -> [Value]? { access.values(names, name.id, row) }

  /// What is to be stored beside the row.
  var flags: Overlay.Flags {
    guard record.state.isVisible() else { return .unseen }
    guard isPresent else { return .parked }
    for (index, field) in access.shape.fields.enumerated() {
      if let value = record.state[field.name]?.value, value != row[index] { return .repaired }
    }
    return []
  }
}
