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

  /// Marks in any order; a stamp that is earlier than one of theirs is raised to it.
  package init(marks: [Mark], stamp: Stamp, schemaVersion: UInt32) {
    self.marks = Self.canonical(marks)
    self.stamp = marks.reduce(stamp) { latest, mark in
      [mark.added, mark.removed].compactMap { $0.map { Stamp($0, mark.device) } }.reduce(latest, max)
    }
    self.schemaVersion = schemaVersion
  }

  /// The values in the set, in order.
  package var values: [Value] {
    var values: [Value] = []
    for mark in marks where mark.stands && values.last != mark.value { values.append(mark.value) }
    return values
  }

  package func joined(_ other: ElementSet) -> ElementSet {
    let (last, version) =
      (stamp, schemaVersion) < (other.stamp, other.schemaVersion)
      ? (other.stamp, other.schemaVersion) : (stamp, schemaVersion)
    return ElementSet(marks: marks + other.marks, stamp: last, schemaVersion: version)
  }

  /// Without what a delete at `end` ended; nil when nothing is left. Each half of a mark is judged alone, so that it
  /// does not matter whether halves meet before or after the delete.
  package func after(_ end: Stamp) -> ElementSet? {
    guard stamp >= end else { return nil }
    let kept = marks.compactMap { mark -> Mark? in
      func left(_ moment: Moment?) -> Moment? {
        moment.flatMap { Stamp($0, mark.device) < end ? nil : $0 }
      }
      let (added, removed) = (left(mark.added), left(mark.removed))
      if added == nil, removed == nil { return nil }
      return Mark(value: mark.value, device: mark.device, added: added, removed: removed)
    }
    return ElementSet(marks: kept, stamp: stamp, schemaVersion: schemaVersion)
  }

  private static func canonical(_ marks: [Mark]) -> [Mark] {
    struct Place: Hashable {
      let value: Value
      let device: DeviceID
    }
    guard marks.count > 1 else { return marks }
    var byPlace: [Place: Mark] = [:]
    for mark in marks {
      let place = Place(value: mark.value, device: mark.device)
      byPlace[place] = byPlace[place].map { union($0, mark) } ?? mark
    }
    return byPlace.values.sorted { $0.value == $1.value ? $0.device < $1.device : $0.value < $1.value }
  }

  private static func union(_ left: Mark, _ right: Mark) -> Mark {
    func latest(_ a: Moment?, _ b: Moment?) -> Moment? { if let a, let b { max(a, b) } else { a ?? b } }
    return Mark(
      value: left.value, device: left.device, added: latest(left.added, right.added),
      removed: latest(left.removed, right.removed))
  }
}
