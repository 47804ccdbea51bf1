import TributaryModel
import TributaryRemotes
import TributaryStore
import TributaryWire

/// A clock that runs ahead: what was stamped by it would be held by every peer, so it waits here.
extension SyncEngine {
  /// Whether something unsent is dated ahead of this device's clock.
  func hasFutureEdits() throws -> Bool {
    try store.unsentMoments().last.map { Clock.isFuture($0, wall: environment.wall()) } ?? false
  }

  /// Once the clock is right again, unsent edits that it stamped in the future are stamped anew, in their order.
  func stampAnew(_ report: inout SyncReport) throws {
    let wall = environment.wall()
    let moments = try store.unsentMoments()
    guard let last = moments.last, Clock.isFuture(last, wall: wall) else { return }
    let present = moments.last { !Clock.isFuture($0, wall: wall) }
    var latest = max(try store.latestShared, present ?? Moment(raw: 0))
    // After what was sealed or read from the future no stamp is right yet.
    guard !Clock.isFuture(latest, wall: wall) else { return }
    var renewed: [Moment: Moment] = [:]
    for moment in moments where Clock.isFuture(moment, wall: wall) {
      latest = Clock.next(after: latest, wall: wall)
      renewed[moment] = latest
    }
    try environment.step("stamp anew")
    try store.engineWrite {
      try store.restampUnsent(of: device) { Stamp(renewed[$0.moment] ?? $0.moment, $0.device) }
    }
    report.notices.append(
      SyncNotice(
        .stampedAnew, nil,
        "\(renewed.count) changes were made while the clock was \(Self.span(last.milliseconds - wall)) ahead. They are "
          + "dated now."))
  }

  /// Whether edits and heads may be published now, as far as the clock can tell.
  func isClockTrusted(_ report: inout SyncReport) throws -> Bool {
    let wall = environment.wall()
    if let clock = remote.clock, wall - Clock.tolerance > clock, !isSupported(wall) {
      report.notices.append(
        SyncNotice(
          .clockAhead, nil,
          "This device's clock is \(Self.span(wall - clock)) ahead of the remote's. Nothing is sent until it is right: "
            + "set the date and time."))
      return false
    }
    if let last = try store.unsentMoments().last, Clock.isFuture(last, wall: wall) {
      report.notices.append(
        SyncNotice(
          .clockAhead, nil,
          "Changes made here are dated \(Self.span(last.milliseconds - wall)) ahead of this device's clock. They are "
            + "sent when it gets there; check the date and time."))
      return false
    }
    return true
  }

  /// Whether a peer's clock has ever shown a time that this one is near to.
  private func isSupported(_ wall: Int64) -> Bool {
    heads.values.contains { $0.head.wall >= wall - Clock.tolerance }
  }

  private static func span(_ milliseconds: Int64) -> String {
    let minutes = max(1, milliseconds / 60_000)
    switch minutes {
    case ..<120: return minutes == 1 ? "1 minute" : "\(minutes) minutes"
    case ..<2_880: return "\(minutes / 60) hours"
    default: return "\(minutes / 1_440) days"
    }
  }
}
