import Testing

@testable import TributaryTool

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct PasswordInputTests {
  @Test func theFileComesBeforeTheEnvironmentAndLosesOneNewlineOnly() throws {
    try withTemporaryFile("secret\n\n") { path in
      let command = try parsed("attach", "a.db", "r", "--schema=s", "--password-file", path)
      let input = PasswordInput(environment: [PasswordInput.variable: "other"], prompt: nil)
      #expect(try input.password(for: command, .open) == "secret\n")
    }
  }

  @Test func aWindowsLineEndIsOneNewline() throws {
    try withTemporaryFile("secret\r\n") { path in
      let password = try PasswordFile.read(path: path)
      #expect(password == "secret")
    }
  }

  @Test(arguments: [mode_t(0o640), 0o604, 0o620, 0o644, 0o666])
  func aFileThatOthersMayUseIsRefused(mode: mode_t) throws {
    try withTemporaryFile("secret\n", mode: mode) { path in
      let error = #expect(throws: ToolError.self) { try PasswordFile.read(path: path) }
      #expect(error?.exitCode == .usage)
      #expect(error?.remedy == "Run: chmod 600 \(path)")
    }
  }

  @Test func aPipeIsReadWhateverItsMode() throws {
    let pipe = try TestPipe()
    try DescriptorSink(descriptor: pipe.writer, name: "pipe").write("secret\n")
    close(pipe.writer)
    defer { close(pipe.reader) }
    #expect(try PasswordFile.read(path: "/dev/fd/\(pipe.reader)") == "secret")
  }

  @Test func aDescriptorIsReadToItsEnd() throws {
    let pipe = try TestPipe()
    try DescriptorSink(descriptor: pipe.writer, name: "pipe").write("pass phrase")
    close(pipe.writer)
    defer { close(pipe.reader) }
    let command = try parsed("attach", "a.db", "r", "--schema=s", "--password-fd", "\(pipe.reader)")
    #expect(try PasswordInput(environment: [:], prompt: nil).password(for: command, .open) == "pass phrase")
  }

  @Test(arguments: ["-1", "x", "99999999999"])
  func aDescriptorThatIsNoNumberIsRefused(text: String) throws {
    let command = try parsed("attach", "a.db", "r", "--schema=s", "--password-fd=\(text)")
    #expect(throws: ToolError.self) {
      try PasswordInput(environment: [:], prompt: nil).password(for: command, .open)
    }
  }

  @Test(arguments: ["", "\n", String(repeating: "x", count: PasswordFile.limit + 1)])
  func anEmptyOrEndlessPasswordIsRefused(contents: String) throws {
    try withTemporaryFile(contents) { path in
      #expect(throws: ToolError.self) { try PasswordFile.read(path: path) }
    }
  }

  @Test func theLongestPasswordStillHasRoomForItsNewline() throws {
    let longest = String(repeating: "x", count: PasswordFile.limit)
    try withTemporaryFile(longest + "\r\n") { path in
      let password = try PasswordFile.read(path: path)
      #expect(password == longest)
    }
  }

  @Test func bytesThatAreNotTextAreRefused() throws {
    try withTemporaryFile(bytes: [0xFF, 0xFE]) { path in
      #expect(throws: ToolError.self) { try PasswordFile.read(path: path) }
      #expect(throws: ToolError.self) { try PasswordFile.read(path: path + "-absent") }
    }
  }

  @Test func twoSourcesAtOnceAreRefused() throws {
    let command = try parsed("attach", "a.db", "r", "--schema=s", "--password-fd=3", "--password-file=x")
    #expect(throws: ToolError.self) {
      try PasswordInput(environment: [:], prompt: nil).password(for: command, .open)
    }
  }

  @Test func theEnvironmentComesBeforeAPerson() throws {
    let prompt = ScriptedPrompt(answers: ["typed"])
    let input = PasswordInput(environment: [PasswordInput.variable: "set"], prompt: prompt)
    #expect(try input.password(for: parsed("sync", "a.db"), .create) == "set")
    #expect(prompt.questions == [])
  }

  @Test func aNewPasswordIsTypedTwiceAndAnOldOneOnce() throws {
    let twice = ScriptedPrompt(answers: ["one", "one"])
    let command = try parsed("sync", "a.db")
    #expect(try PasswordInput(environment: [:], prompt: twice).password(for: command, .create) == "one")
    #expect(twice.questions == ["New password: ", "The same again: "])
    let once = ScriptedPrompt(answers: ["one"])
    #expect(try PasswordInput(environment: [:], prompt: once).password(for: command, .open) == "one")
    #expect(once.questions == ["Password: "])
  }

  @Test func aTypingMistakeInANewPasswordLocksNothing() throws {
    let prompt = ScriptedPrompt(answers: ["one", "two"])
    #expect(throws: ToolError.self) {
      try PasswordInput(environment: [:], prompt: prompt).password(for: parsed("sync", "a"), .create)
    }
  }

  @Test func withoutATerminalTheMessageNamesTheOtherWays() throws {
    #expect {
      try PasswordInput(environment: [:], prompt: nil).password(for: parsed("sync", "a"), .open)
    } throws: { error in
      (error as? ToolError)?.remedy?.contains("--password-file") == true
    }
  }
}
