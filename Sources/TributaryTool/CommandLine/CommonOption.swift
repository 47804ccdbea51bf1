/// The options that every command takes.
enum CommonOption {
  static let help = "--help"
  static let version = "--version"

  static let all: [OptionSpec] = [
    OptionSpec(name: help, summary: "Show help; also -h."),
    OptionSpec(name: version, summary: "Show the version."),
  ]

  static func isHelp(_ word: String) -> Bool { word == help || word == "-h" }
}
