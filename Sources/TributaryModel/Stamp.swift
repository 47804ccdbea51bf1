/// A moment of a hybrid logical clock: 48 bits of milliseconds since 1970 and a 16-bit counter.
///
/// Source: Kulkarni et al., "Logical Physical Clocks" (2014).
public struct Moment: Hashable, Sendable, Comparable {
  /// Milliseconds in the upper 48 bits, the counter in the lower 16.
  package let raw: UInt64

  package init(raw: UInt64) { self.raw = raw }

  /// A moment from a wall clock; milliseconds outside 48 bits are clamped.
  package init(milliseconds: Int64, counter: UInt16 = 0) {
    let bounded = UInt64(max(0, min(milliseconds, 1 << 48 - 1)))
    self.raw = bounded << 16 | UInt64(counter)
  }

  /// Milliseconds since 1970, UTC.
  public var milliseconds: Int64 { Int64(raw >> 16) }

  /// Tells edits of one millisecond apart.
  public var counter: UInt16 { UInt16(truncatingIfNeeded: raw) }

  /// The moment right after this one. Saturates at the end of time, which admission never lets in.
  package var next: Moment { Moment(raw: raw == .max ? raw : raw + 1) }

  public static func < (left: Moment, right: Moment) -> Bool { left.raw < right.raw }
}

/// The clock of one edit and the device that made it; totally ordered, moment first.
public struct Stamp: Hashable, Sendable, Comparable {
  public let moment: Moment
  public let device: DeviceID

  package init(_ moment: Moment, _ device: DeviceID) {
    self.moment = moment
    self.device = device
  }

  public static func < (left: Stamp, right: Stamp) -> Bool {
    left.moment == right.moment ? left.device < right.device : left.moment < right.moment
  }
}
