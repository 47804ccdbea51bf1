/// Why a call on a remote failed, and what to do about it.
package struct RemoteError: Error, Sendable {
  /// The kind of failure, which decides what the engine does next. New kinds may be added.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    package let name: String
    package init(_ name: String) { self.name = name }
    package var description: String { name }

    /// The same call may succeed later.
    package static let retryable = Code("retryable")
    /// The remote asked for a pause; see `retryAfter`.
    package static let rateLimited = Code("rateLimited")
    /// The remote is full: uploads pause, downloads go on.
    package static let quota = Code("quota")
    /// More bytes or names than this side, or the remote, accepts.
    package static let tooLarge = Code("tooLarge")
    /// The credentials were refused.
    package static let auth = Code("auth")
    /// The credentials are good, the access is not allowed.
    package static let forbidden = Code("forbidden")
    /// The remote's own root does not exist, or is not mounted.
    package static let notThere = Code("notThere")
    /// Something else stands where the remote or a file of it should be.
    package static let wrongKind = Code("wrongKind")
    /// This device's clock is too far off for the remote.
    package static let clock = Code("clock")
    /// The same call will fail again.
    package static let permanent = Code("permanent")
  }

  package let code: Code
  /// What happened, and where.
  package let message: String
  /// How to mend it, for the person who reads it; empty if there is nothing to do but wait.
  package let remedy: String
  /// How long the remote asked to wait, if it did.
  package let retryAfter: Duration?
  /// The failure below this one.
  package let cause: (any Error)?

  package init(
    _ code: Code, _ message: String, remedy: String = "", retryAfter: Duration? = nil,
    cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.retryAfter = retryAfter
    self.cause = cause
  }
}

extension RemoteError: CustomStringConvertible {
  package var description: String {
    var text = message
    if !remedy.isEmpty { text += " \(remedy)" }
    if let cause { text += " (\(cause))" }
    return text
  }
}
