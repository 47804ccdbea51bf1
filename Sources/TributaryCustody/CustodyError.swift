/// Why a device's secrets or its lock could not be had.
package struct CustodyError: Error, Sendable {
  /// The kind of failure. New kinds may be added.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    package let name: String
    package init(_ name: String) { self.name = name }
    package var description: String { name }

    /// A system call failed.
    package static let system = Code("system")
    /// A file or folder belongs to another user, is a link, or could have been written by others.
    package static let unsafe = Code("unsafe")
    /// The bytes are not what was written.
    package static let damaged = Code("damaged")
    /// A newer build wrote this.
    package static let tooNew = Code("tooNew")
    /// More than the bounds allow.
    package static let tooLarge = Code("tooLarge")
    /// A name outside `a-z`, `0-9` and `-`, or longer than 64.
    package static let badName = Code("badName")
    /// There is no place to keep secrets in.
    package static let noHome = Code("noHome")
    /// Another process holds the lock.
    package static let busy = Code("busy")
  }

  package let code: Code
  /// What happened, and where.
  package let message: String
  /// How to mend it; may be empty.
  package let remedy: String
  /// The failure below this one.
  package let cause: (any Error)?

  package init(_ code: Code, _ message: String, remedy: String = "", cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.cause = cause
  }
}

extension CustodyError: CustomStringConvertible {
  package var description: String {
    var text = message
    if !remedy.isEmpty { text += " \(remedy)" }
    if let cause { text += " (\(cause))" }
    return text
  }
}
