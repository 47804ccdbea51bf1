/// Why one peer cannot be read on for now. It stops that peer only.
struct PeerProblem: Error {
  enum Kind {
    /// A log that must be there is not, or not whole: a snapshot that covers it helps.
    case gap
    /// A log does not follow the one before.
    case brokenChain
    /// What is there needs something else: a newer build, another password, a look.
    case other
  }

  let kind: Kind
  let reason: String

  init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }
}
