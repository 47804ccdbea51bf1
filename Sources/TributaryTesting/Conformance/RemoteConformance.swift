public import TributaryRemotes

/// Checks that a remote keeps the promises that the engine builds on.
///
/// For an app with a remote of its own: run it in a test, over a factory of empty remotes, and expect no failures.
public enum RemoteConformance {
  /// A promise that was not kept.
  public struct Failure: Sendable, CustomStringConvertible {
    /// The promise, named as in `checks`.
    public let check: String
    /// What was seen instead.
    public let message: String

    public var description: String { "\(check): \(message)" }
  }

  /// The names of all checks.
  public static var checks: [String] { all.map(\.name) }

  /// Runs every check, each over an empty remote of its own, and returns the promises that were not kept.
  public static func run(_ fresh: () throws -> RemoteLocation) -> [Failure] {
    failures(over: { try fresh().open() })
  }

  /// Runs every check, each over an empty remote of its own, and returns the promises that were not kept.
  package static func failures(over fresh: () throws -> any Remote) -> [Failure] {
    all.compactMap { check in
      do {
        try check.run(fresh())
        return nil
      } catch {
        return Failure(check: check.name, message: "\(error)")
      }
    }
  }

  struct Check: Sendable {
    let name: String
    let run: @Sendable (any Remote) throws -> Void
  }

  static var all: [Check] { writing + reading + listing }
}

/// What a check saw instead of what was promised.
struct Broken: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Fails the check unless both are the same.
func demand<Thing: Equatable>(_ found: Thing, _ expected: Thing, _ what: String) throws {
  if found != expected { throw Broken("\(what): expected \(brief(expected)), found \(brief(found))") }
}

/// Fails the check unless the body throws a remote error of that code.
func demand(_ code: RemoteError.Code, _ what: String, _ body: () throws -> Void) throws {
  do { try body() } catch let error as RemoteError {
    return try demand(error.code, code, what)
  }
  throw Broken("\(what): expected \(code), but it succeeded")
}

/// Fails the check unless the read gave these bytes.
func demandBytes(_ outcome: ReadOutcome, _ expected: [UInt8], _ what: String) throws {
  guard case .bytes(let bytes, _) = outcome else {
    throw Broken("\(what): expected \(expected.count) bytes, found \(brief(outcome))")
  }
  guard bytes == expected else { throw Broken("\(what): other bytes (\(bytes.count) of \(expected.count))") }
}

private func brief(_ thing: some Any) -> String { String(String(describing: thing).prefix(200)) }
