/// One record's change as it travels: a part of the record's state, and what a reader must understand of it.
package struct Entry: Hashable, Sendable {
  package var name: RecordName
  /// What the writer adds to everybody's state. It carries the deletes that the writer's state held, so that an
  /// edit after a delete is never taken for an edit before it.
  package var change: RecordState
  /// The lowest format of a build that may apply this.
  package var minReader: UInt32
  /// An entry that a build may not pass over: it stops there instead of holding it.
  package var isBarrier: Bool

  package init(_ name: RecordName, _ change: RecordState, minReader: UInt32 = 1, isBarrier: Bool = false) {
    self.name = name
    self.change = change
    self.minReader = minReader
    self.isBarrier = isBarrier
  }

  /// Every stamp in the entry, for admission and for the rule that a log carries its writer's edits.
  package var stamps: [Stamp] {
    var stamps = change.fields.compactMap(\.stamp) + change.deletes.map(\.stamp)
    if let born = change.born { stamps.append(born) }
    return stamps
  }

  /// The greatest schema version that a value here was written at.
  package var schemaVersion: UInt32 { change.fields.map(\.schemaVersion).max() ?? 1 }
}
