/// A field that sums what every device added to a base that the last writer set.
///
/// A device's total counts only while the base that it was added to stands, so that setting, adding, deleting
/// and cloning keep the sum right.
package struct Counter: Hashable, Sendable {
  /// What one device added in all to one base.
  package struct Total: Hashable, Sendable {
    package var device: DeviceID
    /// When the device last added.
    package var stamp: Stamp
    /// The stamp of the base that this was added to.
    package var base: Stamp
    /// That base's `life`; nil when it is the base's own stamp.
    package var life: Stamp?
    package var sum: Int64

    package init(device: DeviceID, stamp: Stamp, base: Stamp, life: Stamp? = nil, sum: Int64) {
      self.device = device
      self.stamp = stamp
      self.base = base
      self.life = life == base ? nil : life
      self.sum = sum
    }

    /// The stamp that decides which deletes end this total.
    package var root: Stamp { life ?? base }
  }

  /// Absent until the insert arrives.
  package var base: Register?
  /// One for each device, in the order of devices.
  package var totals: [Total]

  /// Totals in any order; what a later total or the base makes void is left out.
  package init(base: Register?, totals: [Total]) {
    self.base = base
    self.totals = Self.canonical(totals, base: base)
  }

  /// The shown value: base and the totals that belong to it, wrapping like SQLite's own sum does not.
  package var value: Value {
    guard let base else { return .null }
    let start = base.value.integer ?? 0
    return .integer(totals.reduce(start) { $1.base == base.stamp ? $0 &+ $1.sum : $0 })
  }

  package func joined(_ other: Counter) -> Counter {
    let winner: Register? =
      if let base, let theirs = other.base { base.joined(theirs) } else { base ?? other.base }
    return Counter(base: winner, totals: totals + other.totals)
  }

  /// Without what a delete at `end` ended; nil when nothing is left.
  package func after(_ end: Stamp) -> Counter? {
    let left = base.flatMap { $0.root < end ? nil : $0 }
    let kept = totals.filter { $0.root >= end }
    return left == nil && kept.isEmpty ? nil : Counter(base: left, totals: kept)
  }

  /// One total for each device, none for a base that was followed by another. Bases follow one another as registers
  /// do: by life, then by stamp.
  private static func canonical(_ totals: [Total], base: Register?) -> [Total] {
    guard !totals.isEmpty else { return totals }
    var byDevice: [DeviceID: Total] = [:]
    for total in totals {
      byDevice[total.device] = byDevice[total.device].map { later($0, total) } ?? total
    }
    let kept = byDevice.values.filter { total in
      base.map { (total.root, total.base) >= ($0.root, $0.stamp) } ?? true
    }
    return kept.sorted { $0.device < $1.device }
  }

  private static func later(_ left: Total, _ right: Total) -> Total {
    (left.root, left.base, left.stamp, left.sum) < (right.root, right.base, right.stamp, right.sum)
      ? right : left
  }
}
