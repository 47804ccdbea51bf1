/// The rules of the hybrid logical clock. The clock itself is data: it advances only in the transaction that commits.
package enum Clock {
  /// How far ahead of the wall clock a stamp may be before it is held, in milliseconds.
  package static let tolerance: Int64 = 5 * 60 * 1000

  /// The moment of the next local edit, after everything that the store has seen.
  package static func next(after last: Moment, wall milliseconds: Int64) -> Moment {
    max(Moment(milliseconds: milliseconds), last.next)
  }

  /// Whether a stamp is too far in the future to be applied, or to be taken into the clock.
  package static func isFuture(_ moment: Moment, wall milliseconds: Int64) -> Bool {
    moment.milliseconds - tolerance > milliseconds
  }
}
