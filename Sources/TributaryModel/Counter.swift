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
    package var sum: Int64

    package init(device: DeviceID, stamp: Stamp, base: Stamp, sum: Int64) {
      self.device = device
      self.stamp = stamp
      self.base = base
      self.sum = sum
    }
  }

  /// Absent until the insert arrives.
  package var base: Register?
  /// One for each device, in the order of devices.
  package var totals: [Total]

  package init(base: Register?, totals: [Total]) {
    self.base = base
    self.totals = totals
  }

  /// The shown value: base and the totals that belong to it, wrapping like SQLite's own sum does not.
  package var value: Value {
    guard let base else { return .null }
    let start = base.value.integer ?? 0
    return .integer(totals.reduce(start) { $1.base == base.stamp ? $0 &+ $1.sum : $0 })
  }

  package func joined(_ other: Counter) -> Counter {
    var byDevice: [DeviceID: Total] = [:]
    for total in totals + other.totals {
      byDevice[total.device] = byDevice[total.device].map { Self.later($0, total) } ?? total
    }
    let winner: Register? =
      if let base, let theirs = other.base { base.joined(theirs) } else { base ?? other.base }
    let kept = byDevice.values.filter { total in winner.map { total.base >= $0.stamp } ?? true }
    return Counter(base: winner, totals: kept.sorted { $0.device < $1.device })
  }

  private static func later(_ left: Total, _ right: Total) -> Total {
    if left.base != right.base { return left.base < right.base ? right : left }
    if left.stamp != right.stamp { return left.stamp < right.stamp ? right : left }
    return left.sum < right.sum ? right : left
  }
}
