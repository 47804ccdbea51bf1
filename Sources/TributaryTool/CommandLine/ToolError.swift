/// Why a command stopped: what happened, how to mend it, and the number the shell gets.
struct ToolError: Error {
  /// What the tool exits with.
  var exitCode: ExitCode
  /// What happened, and where.
  var message: String
  /// How to mend it, where that is known.
  var remedy: String?
  /// The error beneath, if any.
  var cause: (any Error)?

  init(_ exitCode: ExitCode, _ message: String, remedy: String? = nil, cause: (any Error)? = nil) {
    self.exitCode = exitCode
    self.message = message
    self.remedy = remedy
    self.cause = cause
  }

  static func usage(_ message: String, remedy: String? = nil) -> ToolError {
    ToolError(.usage, message, remedy: remedy)
  }

  /// Work that stopped because the user asked it to.
  static var interrupted: ToolError { ToolError(.interrupted, "interrupted") }

  /// What standard error shows, ending in a newline.
  var text: String {
    var lines = "tributary: \(message)\n"
    if let cause { lines += "  because: \(cause)\n" }
    if let remedy { lines += "  \(remedy)\n" }
    return lines
  }
}

extension ToolError: CustomStringConvertible {
  var description: String { message }

  /// Whether something went wrong; else the user stopped it.
  static func isFailure(_ error: any Error) -> Bool { (error as? ToolError)?.exitCode != .interrupted }
}
