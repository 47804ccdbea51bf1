import TestSupport
import TributaryModel
import TributaryStore

extension Check {
  /// No edit is lost that nothing superseded, and nothing that was deleted comes back: the state of every record is
  /// what the committed edits make of it, whoever made them and however they travelled.
  static let editsAreKept = Check("every edit is kept, and nothing is resurrected") { run in
    var found: [RecordName: RecordState] = [:]
    for entry in try run.devices[0].canonical() { found[entry.name] = entry.change }
    var problems: [String] = []
    let byName = Dictionary(grouping: run.edits.edits, by: \.name)
    for (name, edits) in byName.sorted(by: { $0.key < $1.key }) {
      // What a database held that was thrown away may be lost or not, so nothing is said of its records.
      guard !edits.contains(where: \.mayBeLost), !run.edits.collided.contains(name) else { continue }
      let erases = run.schema.tables.first { $0.name == name.type }?.onDelete == .erases
      // A copy and its original that insert one id at one moment may count as one life or as two.
      let births = Set(edits.filter { $0.kind == .insert }.map(\.stamp))
      let areTwins = Set(births.map(\.moment)).count < births.count || run.edits.doubled.contains(name)
      if erases, areTwins { continue }
      let expected = ExpectedRecord(edits, erases: erases)
      problems += expected.problems(with: found[name] ?? RecordState()).map { "\(name.brief): \($0)" }
    }
    for name in found.keys.sorted() where byName[name] == nil {
      problems.append("\(name.brief) was never written")
    }
    return problems
  }
}

/// What a record must be by the edits that were committed.
struct ExpectedRecord {
  private struct Candidate {
    var stamp: Stamp
    var life: Stamp
    /// nil where a group's other fields were stamped with the value that the writer's state had.
    var value: Value?
  }

  private let born: Stamp?
  private let deleted: Stamp?
  private let erases: Bool
  private var fields: [String: Candidate] = [:]
  /// Moments of edits whose devices are not known for sure.
  private let moved: Set<Moment>

  init(_ edits: [EditLog.Edit], erases: Bool) {
    self.erases = erases
    moved = Set(edits.filter(\.wasMoved).map(\.stamp.moment))
    let born = edits.filter { $0.kind == .insert }.map(\.stamp).max()
    let deletes = edits.filter { $0.kind == .delete }.map(\.stamp)
    self.born = born
    deleted = deletes.max()
    // An insert after a delete is a new life; an erasing delete ends everything before it at once.
    let end = erases ? deletes.max() : deletes.filter { delete in born.map { delete < $0 } ?? false }.max()
    for edit in edits {
      for (name, value) in edit.fields {
        let candidate = Candidate(stamp: edit.stamp, life: edit.life ?? edit.stamp, value: value)
        if let end, candidate.life < end { continue }
        if let other = fields[name], (candidate.life, candidate.stamp) < (other.life, other.stamp) {
          continue
        }
        fields[name] = candidate
      }
    }
  }

  /// nil where a delete and an edit share a moment, and the id of one of them decides that is not known.
  private var isVisible: Bool? {
    guard let born else { return false }
    guard let deleted else { return true }
    let latest = ([born] + fields.values.map(\.stamp)).map(\.moment).max()
    if latest == deleted.moment, moved.contains(deleted.moment) { return nil }
    return erases ? born > deleted : ([born] + fields.values.map(\.stamp)).contains { $0 > deleted }
  }

  /// Moments are compared, not devices: a copied database gives unsent edits its own id, or the former one back.
  func problems(with state: RecordState) -> [String] {
    var problems: [String] = []
    if state.born?.moment != born?.moment {
      problems.append("inserted at \(text(state.born)), not \(text(born))")
    }
    if state.latestDelete?.moment != deleted?.moment {
      problems.append("deleted at \(text(state.latestDelete)), not \(text(deleted))")
    }
    if let isVisible, state.isVisible() != isVisible {
      problems.append(isVisible ? "is lost" : "is resurrected")
    }
    for (name, expected) in fields.sorted(by: { $0.key < $1.key }) {
      guard let found = state[name] else {
        problems.append("\(name) is lost, written at \(expected.stamp.brief)")
        continue
      }
      if found.stamp?.moment != expected.stamp.moment {
        problems.append("\(name) is of \(text(found.stamp)), not \(expected.stamp.brief)")
      } else if let value = expected.value, value != found.value {
        problems.append("\(name) is \(found.value.literal), not \(value.literal)")
      }
    }
    for field in state.fields where fields[field.name] == nil {
      problems.append("\(field.name) is back, of \(text(field.stamp))")
    }
    return problems
  }

  private func text(_ stamp: Stamp?) -> String { stamp.map(\.brief) ?? "never" }
}
