import TestSupport
import TributaryModel

@testable import TributaryStore

/// Edits that no log carries yet may get other stamps: when a device's id changes, or its clock was ahead.
extension EditLog {
  /// What a device was when a sync or a compaction began.
  struct Moor {
    var id: DeviceID
    var sealed: Moment
    var wall: Int64
  }

  /// Takes the stamps of the device's edits that were unsealed when a sync or a compaction began from its state, if it may
  /// have changed them. An edit that was dated anew and that others of the device cover wholly has no stamp of its own any
  /// more. All others keep at least their moment, and are looked for to the end: that the state lacks one may be the fault.
  ///
  /// - Parameter noted: edits that following settles, and that are not taken in yet.
  mutating func follow(_ device: SimulatedDevice, since moor: Moor, settling noted: [Edit]) throws {
    let isUnsealed = { (edit: Edit) in
      edit.device == device.name && edit.stamp.moment > moor.sealed && !edit.mayBeLost
    }
    let mayMove = edits.contains { edit in
      isUnsealed(edit) && (edit.wasMoved || Clock.isFuture(edit.stamp.moment, wall: moor.wall))
    }
    guard moor.id != device.device || mayMove else { return }
    try device.store.settle(as: device.device)
    var states: [RecordName: RecordState] = [:]
    for entry in try device.canonical() { states[entry.name] = entry.change }
    let known = Set((edits + noted).map(\.stamp))
    let moves = self.moves(of: edits.filter(isUnsealed), in: states, known: known, wall: moor.wall)
    edits = edits.compactMap { edit in
      guard isUnsealed(edit), let state = states[edit.name] else { return edit }
      var edit = edit
      if let life = edit.life, let moved = moves[life] { edit.life = moved }
      if let moved = moves[edit.stamp] {
        edit.wasDatedAnew = edit.wasDatedAnew || moved.moment != edit.stamp.moment
        edit.stamp = moved
        edit.wasMoved = true
        return edit
      }
      let mayBeDatedAnew = Clock.isFuture(edit.stamp.moment, wall: moor.wall)
      return !mayBeDatedAnew || state.stamps.contains(edit.stamp) ? edit : nil
    }
  }

  /// New stamps by old ones: what the state has where the edit must be, and nobody is known to have made.
  private func moves(
    of unsealed: [Edit], in states: [RecordName: RecordState], known: Set<Stamp>, wall: Int64
  ) -> [Stamp: Stamp] {
    var moves: [Stamp: Stamp] = [:]
    // Later edits cover earlier ones, so each place in the state is that of the last edit.
    var taken: Set<[String]> = []
    for edit in unsealed.sorted(by: { $0.stamp > $1.stamp }) {
      guard let state = states[edit.name] else { continue }
      // Only what its clock had put into the future gets another moment; else it is another's edit that is met.
      let keepsMoment = !edit.wasDatedAnew && !Clock.isFuture(edit.stamp.moment, wall: wall)
      func meet(_ place: String, _ stamp: Stamp?) {
        guard taken.insert([edit.name.brief, place]).inserted, let stamp, !known.contains(stamp),
          !keepsMoment || stamp.moment == edit.stamp.moment
        else { return }
        moves[edit.stamp] = moves[edit.stamp] ?? stamp
      }
      if edit.kind == .insert { meet("+", state.born) }
      if edit.kind == .delete { meet("-", state.latestDelete) }
      for field in edit.fields.keys.sorted() { meet("." + field, state[field]?.stamp) }
    }
    return moves
  }
}

extension RecordState {
  fileprivate var stamps: Set<Stamp> {
    Set(fields.compactMap(\.stamp) + deletes.map(\.stamp) + [born].compactMap(\.self))
  }
}
