/// Why a file's content could not be written or read.
///
/// Match on `code`; show `message`. Errors of the bytes beneath (CBOR, zstd, seals) are `CodecError`.
package struct WireError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure. New codes may be added; compare with the constants.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's stable name.
    package let name: String

    /// A code by its name.
    package init(_ name: String) { self.name = name }

    package var description: String { name }
  }

  /// What kind of failure this is.
  package let code: Code
  /// What happened, where, and how to mend it.
  package let message: String
  /// The error beneath, if there is one.
  package let cause: (any Error)?

  /// An error with its code, message and cause.
  package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  package var description: String { "\(code): \(message)" }
}

extension WireError.Code {
  /// A part that every file of the kind has is not there.
  package static let missing = Self("missing")
  /// The content breaks the format's rules.
  package static let malformed = Self("malformed")
  /// A count, length or number above its limit.
  package static let tooLarge = Self("tooLarge")
  /// The file belongs to another device than its directory says.
  package static let wrongDevice = Self("wrongDevice")
  /// The file has another number than its name says.
  package static let wrongSeq = Self("wrongSeq")
  /// The file is of another kind than its name says, or of another part.
  package static let wrongKind = Self("wrongKind")
  /// The file does not follow the one that was read before it.
  package static let brokenChain = Self("brokenChain")
  /// A log with edits of another device.
  package static let foreignStamp = Self("foreignStamp")
  /// A run of logs, or pieces of a value, with one missing or out of place.
  package static let incompleteRun = Self("incompleteRun")
}
