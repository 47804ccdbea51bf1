package import TributaryModel

/// One value that lost to a concurrent edit of the same field.
package struct Conflict: Sendable, Hashable {
  package var name: RecordName
  package var field: String
  package var won: Register
  package var lost: Register
}

extension Applier {
  /// The values that lose when the entry joins the state.
  func conflicts(_ state: RecordState, _ entry: Entry, _ shape: TableShape) -> [Conflict] {
    let deletes = state.deletes + entry.change.deletes
    let areTwoThings =
      shape.isSharedIntegerKey && areConcurrent(state.born, entry.change.born, deletes)
      && !areAlike(state, entry.change)
    var found: [Conflict] = []
    for field in entry.change.fields {
      guard let theirs = field.register, let mine = state[field.name]?.register, mine != theirs,
        areTwoThings || isConflict(mine, theirs, deletes)
      else { continue }
      let won = mine.joined(theirs)
      found.append(Conflict(name: entry.name, field: field.name, won: won, lost: won == mine ? theirs : mine))
    }
    return found
  }

  /// Whether two rows show the same: such as those of two copies of one file, adopted apart. Nothing is lost of them.
  private func areAlike(_ one: RecordState, _ other: RecordState) -> Bool {
    one.fields.allSatisfy { other[$0.name]?.value == $0.value }
      && other.fields.allSatisfy { one[$0.name]?.value == $0.value }
  }

  private func isConflict(_ mine: Register, _ theirs: Register, _ deletes: [Delete]) -> Bool {
    // One stamp with two contents: two devices share an identity, and one of the values is lost.
    if mine.stamp == theirs.stamp { return mine.contradicts(theirs) }
    return mine.value != theirs.value && areConcurrent(mine.stamp, theirs.stamp, deletes)
  }

  /// Whether two devices edited without knowledge of each other. Two inserts under one key that are concurrent are two
  /// things: every value of the earlier one is lost, those that are equal in both with it.
  private func areConcurrent(_ one: Stamp?, _ other: Stamp?, _ deletes: [Delete]) -> Bool {
    guard let one, let other, one.device != other.device else { return false }
    let (earlier, later) = (min(one, other), max(one, other))
    // What its own device deleted before the later edit was given up, not lost.
    let isGivenUp = deletes.contains {
      $0.stamp.device == earlier.device && earlier < $0.stamp && $0.stamp < later
    }
    return !isGivenUp && isConcurrent(later, earlier)
  }
}
