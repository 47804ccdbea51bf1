import TestSupport
import TributaryModel

/// The rules by which state becomes rows, over everything at once: slow, simple, and sharing nothing with the engine.
///
/// A record is shown if it is inserted and not deleted. A reference that leads nowhere shows NULL, else its record is
/// left out. Of records that claim one unique value the latest claim shows it; the others show NULL, or are left out.
struct ProjectionOracle {
  private final class Shown {
    let table: Table
    let claim: Stamp
    let id: RecordID
    var values: [String: Value] = [:]

    init(_ entry: Entry, in table: Table) {
      self.table = table
      id = entry.name.id
      let constrained = Set(table.unique.flatMap(\.self))
      let stamps = entry.change.fields.filter { constrained.contains($0.name) }.compactMap(\.stamp)
      claim = stamps.max() ?? entry.change.born ?? Stamp(Moment(raw: 0), DeviceID(high: 0, low: 0))
      for (name, value) in zip(table.key, id.values ?? []) { values[name] = value }
      for field in table.fields { values[field.name] = field.defaultValue ?? .null }
      for field in entry.change.fields { values[field.name] = field.value }
    }

    func values(_ names: [String]) -> [Value] { names.map { values[$0] ?? .null } }

    /// Shows NULL in the column if it takes NULL.
    func showNull(_ name: String) -> Bool {
      guard let column = table.fields.first(where: { $0.name == name }), column.rule.allowsNull else {
        return false
      }
      values[name] = .null
      return true
    }
  }

  private let schema: Schema
  private var shown: [Shown] = []

  private init(_ schema: Schema) { self.schema = schema }

  static func rows(of entries: [Entry], _ schema: Schema = Workload.schema) -> [String: [[Value]]] {
    var oracle = ProjectionOracle(schema)
    for entry in entries where isVisible(entry.change) {
      guard let table = schema.syncedTables.first(where: { $0.name == entry.name.type }) else {
        continue
      }
      let record = Shown(entry, in: table)
      let lacks = table.fields.contains {
        $0.defaultValue != nil && !$0.rule.allowsNull && record.values[$0.name]?.isNull ?? true
      }
      if !lacks { oracle.shown.append(record) }
    }
    oracle.keepReferences()
    oracle.keepUnique()
    oracle.keepReferences()
    return oracle.rows()
  }

  private static func isVisible(_ state: RecordState) -> Bool {
    guard let born = state.born else { return false }
    let edits = [born] + state.fields.compactMap(\.stamp)
    for delete in state.deletes {
      if delete.erases ? born < delete.stamp : !edits.contains(where: { $0 > delete.stamp }) { return false }
    }
    return true
  }

  private mutating func keepReferences() {
    var isDone = false
    while !isDone {
      isDone = true
      for record in shown {
        for reference in record.table.references where !holds(reference, record) {
          isDone = false
          let nulls = reference.columns.filter { record.showNull($0) }
          if nulls.isEmpty { shown.removeAll { $0 === record } }
        }
      }
    }
  }

  private func holds(_ reference: Reference, _ record: Shown) -> Bool {
    guard shown.contains(where: { $0 === record }) else { return true }
    let values = record.values(reference.columns)
    if values.contains(where: \.isNull) { return true }
    return shown.contains { parent in
      let columns = reference.parentColumns.isEmpty ? parent.table.key : reference.parentColumns
      return parent.table.name == reference.table && parent.values(columns) == values
    }
  }

  private mutating func keepUnique() {
    for table in schema.syncedTables {
      var taken: [[String]: Set<[Value]>] = [:]
      let claimants = shown.filter { $0.table.name == table.name }
      for record in claimants.sorted(by: { ($1.claim, $1.id) < ($0.claim, $0.id) }) {
        for columns in table.unique {
          let values = record.values(columns)
          guard !values.contains(where: \.isNull), taken[columns]?.contains(values) == true else { continue }
          if !columns.reversed().contains(where: { record.showNull($0) }) {
            shown.removeAll { $0 === record }
          }
        }
        guard shown.contains(where: { $0 === record }) else { continue }
        for columns in table.unique { taken[columns, default: []].insert(record.values(columns)) }
      }
    }
  }

  private func rows() -> [String: [[Value]]] {
    var rows: [String: [[Value]]] = [:]
    for table in schema.syncedTables {
      let records = shown.filter { $0.table.name == table.name }.sorted { $0.id < $1.id }
      rows[table.name] = records.map { $0.values(table.key + table.fields.map(\.name)) }
    }
    return rows
  }
}
