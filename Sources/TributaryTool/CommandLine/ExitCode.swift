/// How the tool ends, told to the shell. Scripts may rely on these numbers.
struct ExitCode: Hashable, Sendable {
  /// The number that the shell sees.
  let rawValue: Int32
  /// What the number means, for the manual.
  let meaning: String

  static let success = ExitCode(rawValue: 0, meaning: "It worked.")
  static let failure = ExitCode(rawValue: 1, meaning: "It failed; the message says why.")
  static let usage = ExitCode(rawValue: 2, meaning: "The command line was wrong; nothing was done.")
  static let notAttached = ExitCode(
    rawValue: 3, meaning: "The database is not attached to a remote, or must be attached again.")
  static let wrongPassword = ExitCode(rawValue: 4, meaning: "The password opens none of the key files.")
  static let remoteUnavailable = ExitCode(
    rawValue: 5, meaning: "The remote could not be reached; local edits are kept. Try again later.")
  static let remoteFull = ExitCode(
    rawValue: 6, meaning: "The remote is full. Edits of others were read; local edits are kept.")
  static let held = ExitCode(
    rawValue: 7,
    meaning: "It worked, but something is held, or could not be read: an upgrade or a look is needed.")
  static let damage = ExitCode(rawValue: 8, meaning: "Damage was found.")
  static let busy = ExitCode(
    rawValue: 75, meaning: "Another program is at work on this database. Try again once it has ended.")
  static let interrupted = ExitCode(
    rawValue: 130, meaning: "Interrupted. What was finished is kept; running it again goes on from there.")

  /// Every code that the tool ends with, in the order of the manual.
  static let documented: [ExitCode] = [
    .success, .failure, .usage, .notAttached, .wrongPassword, .remoteUnavailable, .remoteFull, .held,
    .damage, .busy, .interrupted,
  ]
}
