/// A field that is a set of values in which an addition wins over a removal that had not seen it.
///
/// For each value and device the latest addition and the latest removed addition are kept; a value is in the set
/// while some device's addition is later than what was removed of that device's.
package struct ElementSet: Hashable, Sendable {
  /// One device's part in one value.
  package struct Mark: Hashable, Sendable {
    package var value: Value
    package var device: DeviceID
    /// The device's latest addition of the value.
    package var added: Moment?
    /// The latest of the device's additions that somebody removed.
    package var removed: Moment?

    package init(value: Value, device: DeviceID, added: Moment?, removed: Moment?) {
      self.value = value
      self.device = device
      self.added = added
      self.removed = removed
    }

    package var stands: Bool { added.map { added in removed.map { $0 < added } ?? true } ?? false }
  }

  /// In the order of values, then devices; one for each pair.
  package var marks: [Mark]
  /// The latest change, additions and removals alike.
  package var stamp: Stamp
  package var schemaVersion: UInt32

  package init(marks: [Mark], stamp: Stamp, schemaVersion: UInt32) {
    self.marks = marks
    self.stamp = stamp
    self.schemaVersion = schemaVersion
  }

  /// The values in the set, in order.
  package var values: [Value] {
    var values: [Value] = []
    for mark in marks where mark.stands && values.last != mark.value { values.append(mark.value) }
    return values
  }

  package func joined(_ other: ElementSet) -> ElementSet {
    struct Place: Hashable {
      let value: Value
      let device: DeviceID
    }
    var byPlace: [Place: Mark] = [:]
    for mark in marks + other.marks {
      let place = Place(value: mark.value, device: mark.device)
      byPlace[place] = byPlace[place].map { Self.union($0, mark) } ?? mark
    }
    let sorted = byPlace.values.sorted { $0.value == $1.value ? $0.device < $1.device : $0.value < $1.value }
    let (last, version) =
      (stamp, schemaVersion) < (other.stamp, other.schemaVersion)
      ? (other.stamp, other.schemaVersion) : (stamp, schemaVersion)
    return ElementSet(marks: sorted, stamp: last, schemaVersion: version)
  }

  /// Without what a delete at `floor` ended; nil when nothing is left.
  package func after(_ floor: Stamp) -> ElementSet? {
    guard stamp > floor else { return nil }
    var copy = self
    copy.marks = marks.filter { mark in
      let latest = max(mark.added ?? Moment(raw: 0), mark.removed ?? Moment(raw: 0))
      return Stamp(latest, mark.device) > floor
    }
    return copy
  }

  private static func union(_ left: Mark, _ right: Mark) -> Mark {
    func latest(_ a: Moment?, _ b: Moment?) -> Moment? { if let a, let b { max(a, b) } else { a ?? b } }
    return Mark(
      value: left.value, device: left.device, added: latest(left.added, right.added),
      removed: latest(left.removed, right.removed))
  }
}
