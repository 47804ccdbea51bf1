/// Where a password may come from. Never an argument: those show in every process list.
struct PasswordInput {
  /// What the password is for.
  enum Purpose: Sendable {
    /// It opens what is there.
    case open
    /// It will lock something new, so it is typed twice.
    case create
  }

  static let variable = "TRIBUTARY_PASSWORD"

  /// The options that name a source, for every command that may need a password.
  static let options: [OptionSpec] = [
    OptionSpec(
      name: "--password-file", valueName: "FILE",
      summary: "Read the password from this file, which only you can read.", completion: .file),
    OptionSpec(
      name: "--password-fd", valueName: "N", summary: "Read the password from this open file descriptor."),
  ]

  var environment: [String: String]
  /// Asks a person; nil where nobody can be asked.
  var prompt: (any PasswordPrompt)?

  /// The password, from the first source that is given: a file or a descriptor, the environment, a person.
  func password(for command: ParsedCommand, _ purpose: Purpose) throws -> String {
    let file = command.value("--password-file")
    let descriptor = command.value("--password-fd")
    if file != nil, descriptor != nil {
      throw ToolError.usage("--password-file and --password-fd are both given", remedy: "Leave one out.")
    }
    if let file { return try PasswordFile.read(path: file) }
    if let descriptor { return try PasswordFile.read(descriptor: number(descriptor)) }
    if let value = environment[Self.variable] {
      return try PasswordFile.checked(value, from: Self.variable)
    }
    guard let prompt else {
      throw ToolError.usage(
        "a password is needed, and there is no terminal to ask on",
        remedy: "Give --password-file FILE, --password-fd N or \(Self.variable).")
    }
    return try ask(prompt, purpose)
  }

  private func ask(_ prompt: any PasswordPrompt, _ purpose: Purpose) throws -> String {
    switch purpose {
    case .open:
      return try PasswordFile.checked(prompt.ask("Password: "), from: "the terminal")
    case .create:
      let first = try PasswordFile.checked(prompt.ask("New password: "), from: "the terminal")
      guard try prompt.ask("The same again: ") == first else {
        throw ToolError(.usage, "the two passwords differ; nothing was done")
      }
      return first
    }
  }

  private func number(_ text: String) throws -> Int32 {
    guard let number = Int32(text), number >= 0 else {
      throw ToolError.usage("--password-fd needs the number of an open descriptor, not \"\(text)\"")
    }
    return number
  }
}

/// Someone who can be asked for a password.
protocol PasswordPrompt: Sendable {
  func ask(_ question: String) throws -> String
}
