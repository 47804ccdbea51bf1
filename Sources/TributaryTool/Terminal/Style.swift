/// Colour and weight, or neither: not into files, not for `NO_COLOR`, not on dumb terminals.
struct Style: Sendable {
  var isPlain: Bool

  init(isPlain: Bool) {
    self.isPlain = isPlain
  }

  init(environment: [String: String], isTerminal: Bool) {
    let refused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    isPlain = !isTerminal || refused || environment["TERM"] == "dumb"
  }

  /// What the eye should find first.
  func strong(_ text: String) -> String { marked(text, "1") }

  private func marked(_ text: String, _ code: String) -> String {
    isPlain || text.isEmpty ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}
