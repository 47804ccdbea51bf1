/// Why a schema cannot be read or used: a code to act on, and a message that says where and what to do.
public struct SchemaError: Error, Sendable, CustomStringConvertible {
  /// Which kind of error. More may be added; match the ones you know.
  public struct Code: Hashable, Sendable {
    let name: String
    init(_ name: String) { self.name = name }

    /// The text is not JSON.
    public static let notJSON = Code("notJSON")
    /// The text is longer or nested deeper than any schema.
    public static let tooLarge = Code("tooLarge")
    /// A key that this build does not know, or one that is given twice.
    public static let unknownKey = Code("unknownKey")
    /// A key is missing, or its value is of the wrong kind.
    public static let wrongValue = Code("wrongValue")
  }

  /// What kind of error this is, to act on.
  public let code: Code
  /// What happened, where, and what to do, for a person to read.
  public let message: String
  /// The failure below this one.
  public let cause: (any Error)?

  init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message, with the cause.
  public var description: String { cause.map { "\(message) (\($0))" } ?? message }
}
