import Testing

@testable import TributaryTool

@Suite struct CommandLineParserTests {
  @Test func anOptionTakesItsValueAsTheNextWordOrAfterAnEqualsSign() throws {
    let spaced = try parsed("attach", "app.db", "/r", "--schema", "s.json", "--device", "laptop")
    let joined = try parsed("attach", "--schema=s.json", "app.db", "--device=laptop", "/r")
    for command in [spaced, joined] {
      #expect(command.argument("DATABASE") == "app.db")
      #expect(command.argument("REMOTE") == "/r")
      #expect(command.value("--schema") == "s.json")
      #expect(command.value("--device") == "laptop")
      #expect(!command.has("--new"))
    }
  }

  @Test func aValueMayHoldEqualsSignsAndBeginWithADashAfterOne() throws {
    let command = try parsed("attach", "a", "r", "--schema=a=b", "--device=--odd")
    #expect(command.value("--schema") == "a=b")
    #expect(command.value("--device") == "--odd")
  }

  @Test func everythingAfterTwoDashesIsAnArgument() throws {
    #expect(try parsed("sync", "--", "--json").argument("DATABASE") == "--json")
    #expect(try parsed("sync", "--json", "--", "--help").argument("DATABASE") == "--help")
    #expect(try parsed("sync", "--json", "--", "x").has("--json"))
  }

  @Test func aSingleDashIsAnArgument() throws {
    #expect(try parsed("sync", "-").argument("DATABASE") == "-")
  }

  @Test(arguments: [["--help"], ["-h"], ["help"], ["help", "--help"]])
  func helpWithoutACommandIsTheOverview(words: [String]) throws {
    guard case .help(nil) = try CommandLineParser(tool: Tool.standard.spec).parse(words) else {
      Issue.record("\(words) is not the overview")
      return
    }
  }

  @Test(arguments: [["sync", "--help"], ["sync", "x", "-h", "--wrong"], ["help", "sync"]])
  func helpOnACommandNeedsNothingElseToBeRight(words: [String]) throws {
    guard case .help(let spec) = try CommandLineParser(tool: Tool.standard.spec).parse(words) else {
      Issue.record("\(words) is not help")
      return
    }
    #expect(spec?.name == "sync")
  }

  @Test func aMissingPartIsNamed() {
    #expect(usageError("sync")?.message.contains("DATABASE") == true)
    #expect(usageError("attach", "app.db")?.message.contains("REMOTE") == true)
    #expect(usageError("export", "app.db")?.message.contains("--canonical") == true)
  }

  @Test func aWordTooManyIsNamed() {
    #expect(usageError("sync", "a.db", "b.db")?.message.contains("\"b.db\"") == true)
  }

  @Test func anOptionIsNotSwallowedAsAValue() {
    let error = usageError("attach", "a", "r", "--schema", "--new")
    #expect(error?.message == "--schema needs a value: FILE")
    #expect(error?.remedy == "If \"--new\" is the value, write --schema=--new.")
    #expect(usageError("attach", "a", "r", "--schema")?.message == "--schema needs a value: FILE")
  }

  @Test func emptyDoubledAndMisusedOptionsAreRefused() {
    #expect(usageError("attach", "a", "r", "--schema=")?.message == "--schema is empty")
    #expect(usageError("sync", "")?.message == "DATABASE is empty")
    #expect(usageError("sync", "a", "--json", "--json")?.message == "--json is given twice")
    #expect(usageError("sync", "a", "--json=1")?.message == "--json takes no value")
    #expect(usageError("attach", "a", "r", "--schema=x", "--schema=y")?.message == "--schema is given twice")
  }

  @Test func noPasswordIsTakenAsAnArgument() {
    #expect(usageError("sync", "a", "--password", "secret")?.exitCode == .usage)
    #expect(usageError("sync", "a", "--password=secret")?.text.contains("secret") == false)
  }

  @Test func aMisspeltWordBringsASuggestion() {
    #expect(usageError("snyc")?.remedy == "Did you mean `tributary sync`?")
    #expect(usageError("sync", "a", "--jsno")?.remedy == "Did you mean --json?")
    #expect(usageError("attach", "a", "r", "--shema=x")?.remedy == "Did you mean --schema?")
    #expect(usageError("frobnicate")?.remedy == "See `tributary --help`.")
    #expect(usageError("sync", "a", "-j")?.remedy == "See `tributary sync --help`.")
  }

  @Test func everyRefusalExitsWithTheUsageCode() {
    let refused = [
      usageError(), usageError("x"), usageError("-x"), usageError("sync"), usageError("help", "x"),
    ]
    for error in refused { #expect(error?.exitCode == .usage) }
  }
}

@Suite struct SuggestionTests {
  @Test(arguments: [("", "abc", 3), ("sync", "snyc", 1), ("kitten", "sitting", 3), ("same", "same", 0)])
  func theDistanceCountsTypingMistakes(first: String, second: String, distance: Int) {
    #expect(Suggestion.distance(first, second) == distance)
    #expect(Suggestion.distance(second, first) == distance)
  }

  @Test func nothingIsSuggestedForAPastedParagraph() {
    let long = String(repeating: "sync", count: 100)
    #expect(Suggestion.nearest(to: long, among: [long]) == nil)
  }
}
