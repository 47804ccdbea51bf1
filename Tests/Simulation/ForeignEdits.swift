import TestSupport
import TributaryModel
import TributaryStore

/// What programs did to the rows of an adopted database since the engine last took it over, by the rows alone: what the
/// engine makes of it is judged by this.
struct ForeignEdits {
  private struct Change {
    /// The row when the engine last looked.
    var base: ForeignApp.Row?
    var last: ForeignApp.Row?
    /// When each field got another value last, in milliseconds since 1970.
    var touched: [String: Int64] = [:]
    /// When anything happened to the row last.
    var time: Int64
    /// Whether the triggers were away at some time.
    var isUnwatched = false
  }

  private var changes: [RecordName: Change] = [:]
  private var latest: Int64 = 0
  /// Columns that came under these names with what other columns held: where the state has kept a value for such a
  /// column, that one goes into the row, and nothing is an edit.
  private var renamed: Set<String> = []

  /// What one transaction did. One that puts a row in just as it was is no difference, and yet an edit.
  mutating func add(_ differences: [ForeignApp.Difference], at time: Int64, isUnwatched: Bool = false) {
    latest = max(latest, time)
    for difference in differences {
      let (before, after) = (difference.before, difference.after)
      var change = changes[difference.name] ?? Change(base: before, last: before, time: time)
      change.last = after
      change.time = time
      change.isUnwatched = change.isUnwatched || isUnwatched
      for field in Self.differing(before, after) { change.touched[field] = time }
      changes[difference.name] = change
    }
  }

  /// Triggers may have gone since: a row that went because another took its place counts as gone unseen then, and the
  /// look at every row may date anew what was noted.
  mutating func loseSight() {
    for name in changes.keys { changes[name]?.isUnwatched = true }
  }

  /// Columns changed their names into these.
  mutating func rename(_ columns: [String]) { renamed.formUnion(columns) }

  /// Rows that went while nothing watched: not taken for deleted.
  func vanished(_ edits: [EditLog.Edit]) -> [RecordName] {
    changes.filter { name, change in
      change.isUnwatched && change.last == nil
        && edits.last { $0.name == name && $0.kind != .update }?.kind != .delete
    }.keys.sorted()
  }

  /// What is wrong with the edits that the engine made of it.
  ///
  /// - Parameter last: the greatest moment that the store knew before.
  func problems(with edits: [EditLog.Edit], after last: Moment) -> [String] {
    let made = Dictionary(grouping: edits, by: \.name)
    return Set(changes.keys).union(made.keys).sorted().flatMap { name -> [String] in
      guard let change = changes[name] else { return ["\(name.brief) was edited by nobody"] }
      return problems(change, made[name] ?? [], last).map { "\(name.brief) \($0)" }
    }
  }
}

extension ForeignEdits {
  /// The fields with other values. All that a row has, if it comes or goes; a column that comes or goes with NULL in it
  /// is no difference.
  private static func differing(_ before: ForeignApp.Row?, _ after: ForeignApp.Row?) -> Set<String> {
    guard let before, let after else { return Set((before ?? after ?? [:]).keys) }
    return Set(before.keys).union(after.keys).filter { before[$0] ?? .null != after[$0] ?? .null }
  }

  private func problems(_ change: Change, _ edits: [EditLog.Edit], _ last: Moment) -> [String] {
    let (birth, end) = (edits.last { $0.kind == .insert }?.stamp, edits.last { $0.kind == .delete }?.stamp)
    let isGone = end.map { end in birth.map { $0 < end } ?? true } ?? false
    switch (change.base, change.last) {
    case (nil, nil): return birth == nil || isGone ? [] : ["was inserted, and is gone"]
    case (_?, nil):
      if change.isUnwatched { return [] }
      guard isGone, let end else { return ["was deleted, which no edit says"] }
      return problems(of: "delete", end, change.time, last, isUnwatched: false)
    case (nil, let row?):
      guard !isGone, let birth else { return ["was inserted, which no edit says"] }
      return problems(change, edits.filter { $0.stamp >= birth }, row, Set(row.keys), last)
    case (let base?, let row?):
      if isGone { return ["was deleted, and is there"] }
      return problems(change, edits, row, Self.differing(base, row), last)
    }
  }

  /// The row is there: its values must be what the edits say, and no edit may speak of what nobody touched.
  private func problems(
    _ change: Change, _ edits: [EditLog.Edit], _ row: ForeignApp.Row, _ differing: Set<String>, _ last: Moment
  ) -> [String] {
    var problems: [String] = []
    for field in differing.sorted() where row[field] != nil {
      let edit = edits.filter { $0.fields[field] != nil }.max { $0.stamp < $1.stamp }
      guard let edit, let value = edit.fields[field] else {
        if renamed.contains(field) { continue }
        problems.append("lost an edit of \(field)")
        continue
      }
      if let value, value != row[field] {
        problems.append("has \(field)=\(row[field]?.literal ?? ""), not \(value.literal)")
      }
      problems += self.problems(
        of: field, edit.stamp, change.touched[field] ?? 0, last, isUnwatched: change.isUnwatched)
    }
    if !change.isUnwatched {
      for edit in edits where edit.kind == .update {
        for (field, value) in edit.fields where value != nil && change.touched[field] == nil {
          problems.append("has an edit of \(field), which nobody touched")
        }
      }
    }
    return problems
  }

  /// An edit is no older than what it tells, and no later than the clocks were.
  private func problems(
    of what: String, _ stamp: Stamp, _ time: Int64, _ last: Moment, isUnwatched: Bool
  ) -> [String] {
    let found = Int64(stamp.moment.milliseconds)
    if found < time { return ["has an edit of \(what) at \(found), which was made at \(time)"] }
    let latest = max(Int64(last.milliseconds), self.latest)
    return isUnwatched || found <= latest ? [] : ["has an edit of \(what) at \(found), after \(latest)"]
  }
}
