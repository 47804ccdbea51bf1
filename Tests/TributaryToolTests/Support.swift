import Synchronization

@testable import TributaryTool

/// Collects what a command writes.
final class CollectingSink: TextSink {
  private let collected = Mutex("")

  var text: String { collected.withLock { $0 } }

  func write(_ text: String) throws {
    collected.withLock { $0 += text }
  }
}

/// Answers questions from a list, and remembers them.
final class ScriptedPrompt: PasswordPrompt {
  private let state: Mutex<(answers: [String], questions: [String])>

  init(answers: [String]) {
    state = Mutex((answers, []))
  }

  var questions: [String] { state.withLock { $0.questions } }

  func ask(_ question: String) throws -> String {
    try state.withLock { state in
      state.questions.append(question)
      guard !state.answers.isEmpty else { throw ToolError(.failure, "asked once too often: \(question)") }
      return state.answers.removeFirst()
    }
  }
}

/// The tool run inside the test.
struct ToolRun {
  let code: ExitCode
  let output: String
  let errors: String

  init(_ words: String..., tool: Tool = .standard) async {
    let output = CollectingSink()
    let errors = CollectingSink()
    code = await tool.run(words, in: .scripted(output: output, errors: errors))
    self.output = output.text
    self.errors = errors.text
  }
}

extension ToolContext {
  static func scripted(output: any TextSink, errors: any TextSink, isTerminal: Bool = false) -> ToolContext {
    ToolContext(
      output: output, errors: errors, environment: [:], prompt: nil, isInterrupted: { false },
      isTerminal: isTerminal, width: 80, now: { .zero })
  }
}

/// A command line that must fit.
func parsed(_ words: String...) throws -> ParsedCommand {
  guard case .run(let command) = try CommandLineParser(tool: Tool.standard.spec).parse(words) else {
    throw ToolError(.failure, "\(words) asks for help or the version")
  }
  return command
}

/// The error of a command line that must not fit.
func usageError(_ words: String...) -> ToolError? {
  do {
    _ = try CommandLineParser(tool: Tool.standard.spec).parse(words)
    return nil
  } catch {
    return error as? ToolError
  }
}
