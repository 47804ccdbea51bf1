package import TributaryRemotes

/// What goes wrong on a `MemoryRemote` all the time. Lags are in ticks; every call on the remote is one tick.
///
/// Each viewer and each version of a file draws its own lag between 0 and the limit, so files arrive out of order,
/// and a delete may arrive before the creation that it followed.
package struct Faults: Sendable {
  /// How much later than it is readable a file may be listed, for those who did not write it.
  package var listingLag = 0
  /// How much later than it was written a file, or its deletion, may arrive at those who did not write it.
  package var deliveryLag = 0
  /// How much longer than `deliveryLag` others may still read the head before.
  package var headLag = 0
  /// Of a thousand writes, how many are done and still reported as failed.
  package var lostRepliesPerMille = 0
  /// Of a thousand calls, how many fail and do nothing.
  package var failuresPerMille = 0
  /// Of a thousand publications, how many others see cut off at first.
  package var tornPerMille = 0
  /// For how long they do; nil means that a torn file stays torn, for its writer too.
  package var tornTicks: Int? = 8
  /// The most bytes that all files together may have.
  package var quota: Int?
  /// Fails every call.
  package var isUnavailable = false
  /// Shows no more than so many names in a listing, and says that it is not complete.
  package var listingCap: Int?

  package init() {}
}

/// What goes wrong once, at the next call that it can happen to.
package enum OneFault: Sendable, Equatable {
  /// The next write is done, and then fails.
  case lostReply
  /// The next call fails and does nothing.
  case failure(RemoteError.Code)
  /// The next publication is cut to so many bytes, for others for some ticks, or for all for ever.
  case torn(keeping: Int, ticks: Int?)
}
