/// Why bytes could not be written or read.
///
/// Match on `code`; show `message`, which says what happened, where, and how to mend it.
package struct CodecError: Error, Sendable, CustomStringConvertible {
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

extension CodecError.Code {
  /// The bytes end before the item does, or a sealed file lacks its last chunk.
  package static let truncated = Self("truncated")
  /// The bytes break the format in a way that has no code of its own.
  package static let malformed = Self("malformed")
  /// A number or length in more bytes than it needs, or a form reserved for something else.
  package static let notMinimal = Self("notMinimal")
  /// The same map key twice.
  package static let duplicateKey = Self("duplicateKey")
  /// Map keys that do not ascend.
  package static let keyOrder = Self("keyOrder")
  /// Another CBOR type than the format has there.
  package static let unexpectedType = Self("unexpectedType")
  /// Containers nested deeper than the limit.
  package static let tooDeep = Self("tooDeep")
  /// A length, count or number above its limit.
  package static let tooLarge = Self("tooLarge")
  /// Bytes after the end of what should be the whole.
  package static let trailingBytes = Self("trailingBytes")
  /// The file is of another kind altogether.
  package static let badMagic = Self("badMagic")
  /// A format version that this build does not know.
  package static let unsupportedVersion = Self("unsupportedVersion")
  /// The key is right but the bytes are not: damaged or forged.
  package static let authentication = Self("authentication")
  /// A container sealed under another key.
  package static let commitment = Self("commitment")
  /// A key file that this password or recovery key does not open.
  package static let wrongKey = Self("wrongKey")
  /// A key file that belongs to another device than its directory says.
  package static let wrongDevice = Self("wrongDevice")
  /// A parameter outside its bounds.
  package static let parameters = Self("parameters")
  /// The compressor refused or failed.
  package static let compression = Self("compression")
  /// A password that the rules refuse.
  package static let password = Self("password")
  /// A recovery key with a typing error.
  package static let recoveryKey = Self("recoveryKey")
  /// Not enough memory, or the cryptography library did not start.
  package static let memory = Self("memory")
}
