/// Something that must hold when a run has settled.
struct Check: Sendable {
  let name: String
  /// What is wrong; empty when it holds.
  let problems: @Sendable (SimulatedRun) throws -> [String]

  init(_ name: String, _ problems: @escaping @Sendable (SimulatedRun) throws -> [String]) {
    self.name = name
    self.problems = problems
  }

  /// In the order of running: what says most of a cause first. The last ones write.
  static let all: [Check] = [
    .editsAreKept, .statesAreTheSame, .rowsAreTheSame, .referencesHold, .rowsAreTheProjection,
    .cursorsReachTheEnd,
    .nothingIsPending, .anotherSyncIsSilent, .aNewcomerEndsTheSame,
  ]

  /// The first lines in which two states differ.
  static func differences(_ left: [String], _ right: [String]) -> [String] {
    let (mine, theirs) = (Set(left), Set(right))
    return
      (left.filter { !theirs.contains($0) }.map { "- \($0)" }
      + right.filter { !mine.contains($0) }.map { "+ \($0)" })
  }
}
