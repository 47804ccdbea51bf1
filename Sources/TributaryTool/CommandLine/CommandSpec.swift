/// One command as data. Parsing, help, the man page and the completions are all made from it.
struct CommandSpec: Sendable {
  var name: String
  /// One line, without a full stop.
  var summary: String
  /// Paragraphs for help and the manual.
  var discussion: [String] = []
  var arguments: [ArgumentSpec] = []
  var options: [OptionSpec] = []
  /// At least one: help without an example helps little.
  var examples: [ExampleSpec]
  /// The codes besides 0, 1, 2 and 130 that this command ends with.
  var exitCodes: [ExitCode] = []
  /// Left out of the overview, though it works, is documented and completes.
  var isHidden = false

  /// The command line in short, with required parts bare and others in brackets.
  var usage: String {
    let required = options.filter(\.isRequired).map(\.display)
    let others = options.filter { !$0.isRequired }.map { "[\($0.display)]" }
    let words = ["tributary", name] + arguments.map(\.display) + required + others
    return words.joined(separator: " ")
  }

  func option(named name: String) -> OptionSpec? {
    options.first { $0.name == name }
  }
}

/// A word of the command line known by its place.
struct ArgumentSpec: Sendable {
  /// In capitals, as help shows it.
  var name: String
  var summary: String
  var isOptional = false
  /// Takes every further word as well; only the last argument can.
  var isRepeated = false
  var completion: ValueCompletion = .none

  var display: String {
    let shown = isRepeated ? "\(name)..." : name
    return isOptional ? "[\(shown)]" : shown
  }
}

/// A word of the command line known by its name: a flag, or one with a value.
struct OptionSpec: Sendable {
  /// With its dashes.
  var name: String
  /// In capitals; nil for a flag.
  var valueName: String?
  var summary: String
  var isRequired = false
  /// May be given several times.
  var isRepeated = false
  var completion: ValueCompletion = .none

  var display: String { valueName.map { "\(name) \($0)" } ?? name }
}

/// What a shell offers for a value.
enum ValueCompletion: Hashable, Sendable {
  case none
  case file
  case directory
  case words([String])
}

/// A command line worth copying, and what it does.
struct ExampleSpec: Sendable {
  var command: String
  var explanation: String
}
