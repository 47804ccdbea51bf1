#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@main
struct Main {
  static func main() async {
    Interruption.install()
    let code = await Tool.standard.run(Array(CommandLine.arguments.dropFirst()), in: live())
    exit(code.rawValue)
  }

  private static func live() -> ToolContext {
    let start = ContinuousClock.now
    return ToolContext(
      output: DescriptorSink.standardOutput,
      errors: DescriptorSink.standardError,
      environment: ProcessEnvironment.current(),
      prompt: TerminalPrompt.ifPossible(),
      isInterrupted: { Interruption.requested },
      isTerminal: TerminalTraits.isTerminal(STDERR_FILENO),
      width: TerminalTraits.width(STDERR_FILENO),
      now: { ContinuousClock.now - start })
  }
}

/// The variables that the tool reads; the rest of the environment is none of its business.
private enum ProcessEnvironment {
  static func current() -> [String: String] {
    let names = [
      PasswordInput.variable, "NO_COLOR", "TERM", "TRIBUTARY_STATE_HOME", "XDG_STATE_HOME",
      "XDG_CONFIG_HOME", "HOME",
    ]
    return names.reduce(into: [:]) { found, name in
      found[name] = getenv(name).map { String(cString: $0) }
    }
  }
}
