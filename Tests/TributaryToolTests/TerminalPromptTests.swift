import Dispatch
import Synchronization
import Testing

@testable import TributaryTool

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct TerminalPromptTests {
  @Test(.timeLimit(.minutes(1))) func aTypedPasswordIsNotShownAndTheEchoComesBack() async throws {
    let terminal = try PseudoTerminal()
    let prompt = TerminalPrompt(path: terminal.path, isInterrupted: { false })
    async let answer = asked(prompt)
    try await terminal.waitUntilQuiet()
    try terminal.type("secret\n")
    #expect(try await answer == "secret")
    #expect(terminal.echoes)
    #expect(terminal.shown(until: "\n") == "Password: \r\n")
  }

  @Test(.timeLimit(.minutes(1))) func anInterruptedQuestionGivesTheEchoBack() async throws {
    let terminal = try PseudoTerminal()
    let interrupted = Flag()
    let prompt = TerminalPrompt(path: terminal.path, isInterrupted: { interrupted.isRaised })
    async let answer = asked(prompt)
    try await terminal.waitUntilQuiet()
    try terminal.type("half")
    interrupted.raise()
    do {
      _ = try await answer
      Issue.record("half a password was taken")
    } catch {
      #expect((error as? ToolError)?.exitCode == .interrupted)
    }
    #expect(terminal.echoes)
  }

  @Test func aFileIsNoTerminal() throws {
    try withTemporaryFile("secret") { path in
      #expect(throws: ToolError.self) { try TerminalPrompt(path: path).ask("Password: ") }
    }
  }
}

/// Asks on a thread of its own: a blocked one of the test's few would keep the other half of the test waiting.
private func asked(_ prompt: TerminalPrompt) async throws -> String {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue(label: "prompt").async {
      continuation.resume(with: Result { try prompt.ask("Password: ") })
    }
  }
}

/// A flag that two tasks share.
private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isRaised: Bool { value.load(ordering: .relaxed) }
  func raise() { value.store(true, ordering: .relaxed) }
}

/// A terminal with the test at the keyboard.
private final class PseudoTerminal: Sendable {
  private let keyboard: Int32
  /// Held open, so that the terminal lives between the opens of others.
  private let screen: Int32
  let path: String

  init() throws {
    var ends: (keyboard: Int32, screen: Int32) = (-1, -1)
    try #require(openpty(&ends.keyboard, &ends.screen, nil, nil, nil) == 0)
    (keyboard, screen) = ends
    // ttyname shares one buffer among the tests that run at the same time.
    var name = [CChar](repeating: 0, count: 256)
    try #require(ttyname_r(ends.screen, &name, name.count) == 0)
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    close(screen)
    close(keyboard)
  }

  var echoes: Bool {
    var settings = termios()
    return tcgetattr(screen, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Returns once the question stands, with the echo off.
  func waitUntilQuiet() async throws {
    var request = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
    while echoes || poll(&request, 1, 0) <= 0 { try await Task.sleep(for: .milliseconds(5)) }
  }

  func type(_ text: String) throws {
    try DescriptorSink(descriptor: keyboard, name: "keyboard").write(text)
  }

  /// What stands on the screen once `end` is on it; the terminal passes it on in its own time.
  func shown(until end: Unicode.Scalar) -> String {
    var text = shown()
    while text.unicodeScalars.last != end { text += shown() }
    return text
  }

  private func shown() -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes { read(keyboard, $0.baseAddress, $0.count) }
    return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
  }
}
