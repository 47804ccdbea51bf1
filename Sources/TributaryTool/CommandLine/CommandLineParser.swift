/// What a command line asks for.
enum Invocation {
  /// Help on one command, or the overview.
  case help(CommandSpec?)
  case version
  case run(ParsedCommand)
}

/// A command line that fits its command.
struct ParsedCommand: Sendable {
  let spec: CommandSpec
  fileprivate(set) var arguments: [String: String] = [:]
  /// The words of the argument that takes several.
  fileprivate(set) var repeated: [String] = []
  fileprivate(set) var values: [String: String] = [:]
  fileprivate(set) var flags: Set<String> = []
  /// The values of options that may be given several times.
  fileprivate(set) var lists: [String: [String]] = [:]

  /// The argument of that name; every required one is there once parsed.
  func argument(_ name: String) -> String? { arguments[name] }

  /// The value of an option such as `--schema`.
  func value(_ option: String) -> String? { values[option] }

  func has(_ flag: String) -> Bool { flags.contains(flag) }
}

/// Reads a command line by the tool's description.
///
/// An option may stand anywhere after the command, as `--x VALUE` or `--x=VALUE`, once. After `--` everything is an
/// argument. Values are never guessed: a word that begins with a dash is a value only in the `=` form.
struct CommandLineParser {
  let tool: ToolSpec

  /// - Parameter words: the command line without the program's own name.
  func parse(_ words: [String]) throws -> Invocation {
    guard let first = words.first else {
      throw ToolError.usage("no command given", remedy: "See `tributary --help`.")
    }
    if CommonOption.isHelp(first) { return .help(nil) }
    if first == CommonOption.version { return .version }
    if first == "help" { return try help(on: Array(words.dropFirst())) }
    guard let spec = tool.command(named: first) else { throw unknownCommand(first) }
    return try parse(Array(words.dropFirst()), for: spec)
  }

  private func help(on words: [String]) throws -> Invocation {
    guard let name = words.first(where: { !CommonOption.isHelp($0) }) else { return .help(nil) }
    guard let spec = tool.command(named: name) else { throw unknownCommand(name) }
    return .help(spec)
  }

  private func parse(_ words: [String], for spec: CommandSpec) throws -> Invocation {
    let beforeDashes = words.prefix { $0 != "--" }
    if beforeDashes.contains(where: CommonOption.isHelp) { return .help(spec) }
    if beforeDashes.contains(CommonOption.version) { return .version }
    var scan = Scan(spec: spec, rest: words[...])
    while let word = scan.rest.popFirst() {
      if word == "--" {
        while let word = scan.rest.popFirst() { try scan.take(argument: word) }
        break
      } else if word.hasPrefix("-") && word != "-" {
        try scan.take(option: word)
      } else {
        try scan.take(argument: word)
      }
    }
    return .run(try scan.finish())
  }

  private func unknownCommand(_ word: String) -> ToolError {
    if word.hasPrefix("-") {
      return .usage(
        "unknown option \(word) before a command",
        remedy: "Options follow the command; see `tributary --help`.")
    }
    let guess = Suggestion.nearest(to: word, among: tool.commands.map(\.name))
    return .usage(
      "unknown command \"\(word)\"",
      remedy: guess.map { "Did you mean `tributary \($0)`?" } ?? "See `tributary --help`.")
  }
}

/// The reading of one command's words, half done.
private struct Scan {
  let spec: CommandSpec
  var rest: ArraySlice<String>
  var parsed: ParsedCommand
  var taken = 0

  init(spec: CommandSpec, rest: ArraySlice<String>) {
    self.spec = spec
    self.rest = rest
    parsed = ParsedCommand(spec: spec)
  }

  private var seeHelp: String { "See `tributary \(spec.name) --help`." }

  mutating func take(argument word: String) throws {
    if let last = spec.arguments.last, last.isRepeated, taken >= spec.arguments.count - 1 {
      taken = spec.arguments.count
      parsed.arguments[last.name] = parsed.arguments[last.name] ?? word
      // An empty word is a value here.
      return parsed.repeated.append(word)
    }
    guard taken < spec.arguments.count else {
      throw ToolError.usage("\(spec.name) takes no further argument: \"\(word)\"", remedy: seeHelp)
    }
    guard !word.isEmpty else {
      throw ToolError.usage("\(spec.arguments[taken].name) is empty", remedy: seeHelp)
    }
    parsed.arguments[spec.arguments[taken].name] = word
    taken += 1
  }

  mutating func take(option word: String) throws {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let option = spec.option(named: parts[0]) else { throw unknownOption(parts[0]) }
    guard parsed.values[option.name] == nil, !parsed.flags.contains(option.name) else {
      throw ToolError.usage("\(option.name) is given twice", remedy: seeHelp)
    }
    guard let valueName = option.valueName else {
      guard parts.count == 1 else { throw ToolError.usage("\(option.name) takes no value", remedy: seeHelp) }
      parsed.flags.insert(option.name)
      return
    }
    let value = try parts.count == 2 ? parts[1] : nextValue(of: option, named: valueName)
    guard !value.isEmpty else { throw ToolError.usage("\(option.name) is empty", remedy: seeHelp) }
    if option.isRepeated { return parsed.lists[option.name, default: []].append(value) }
    parsed.values[option.name] = value
  }

  private mutating func nextValue(of option: OptionSpec, named valueName: String) throws -> String {
    guard let next = rest.first, !next.hasPrefix("-") || next == "-" else {
      let remedy = rest.first.map { "If \"\($0)\" is the value, write \(option.name)=\($0)." } ?? seeHelp
      throw ToolError.usage("\(option.name) needs a value: \(valueName)", remedy: remedy)
    }
    rest.removeFirst()
    return next
  }

  private func unknownOption(_ name: String) -> ToolError {
    let known = spec.options.map(\.name) + CommonOption.all.map(\.name)
    let guess = Suggestion.nearest(to: name, among: known)
    return .usage(
      "\(spec.name) has no option \(name)", remedy: guess.map { "Did you mean \($0)?" } ?? seeHelp)
  }

  func finish() throws -> ParsedCommand {
    if let missing = spec.arguments.dropFirst(taken).first(where: { !$0.isOptional }) {
      throw ToolError.usage("\(spec.name) needs \(missing.name): \(missing.summary)", remedy: seeHelp)
    }
    let absent = spec.options.first {
      $0.isRequired && parsed.values[$0.name] == nil && !parsed.flags.contains($0.name)
    }
    if let absent {
      throw ToolError.usage("\(spec.name) needs \(absent.display): \(absent.summary)", remedy: seeHelp)
    }
    return parsed
  }
}
