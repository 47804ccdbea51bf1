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

  /// The latest of the stamps' moments; nil where there is no stamp.
  package var latestMoment: Moment? {
    var latest = change.born?.moment
    func add(_ moment: Moment) { if latest.map({ $0 < moment }) ?? true { latest = moment } }
    for field in change.fields { if let stamp = field.stamp { add(stamp.moment) } }
    for delete in change.deletes { add(delete.stamp.moment) }
    return latest
  }

  /// The latest moment of an edit of `device`; nil where there is none.
  package func latestMoment(of device: DeviceID) -> Moment? {
    var latest: Moment?
    func add(_ stamp: Stamp) {
      if stamp.device == device, latest.map({ $0 < stamp.moment }) ?? true { latest = stamp.moment }
    }
    if let born = change.born { add(born) }
    for field in change.fields { if let stamp = field.stamp { add(stamp) } }
    for delete in change.deletes { add(delete.stamp) }
    return latest
  }

  /// The greatest schema version that a value here was written at.
  package var schemaVersion: UInt32 {
    var version: UInt32 = 0
    for field in change.fields { version = max(version, field.schemaVersion) }
    return change.fields.isEmpty ? 1 : version
  }
}
