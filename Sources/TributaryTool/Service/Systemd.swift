/// systemd's manager for one user.
struct Systemd: ServiceManager {
  let folder: String

  /// - Parameter configuration: `XDG_CONFIG_HOME`; a relative path is passed over, as its specification asks.
  init(home: String, configuration: String?) {
    let configuration = configuration.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.config"
    folder = configuration + "/systemd/user"
  }

  func path(of name: String) -> String { "\(folder)/\(name).service" }

  let check = ["systemctl", "--user", "show-environment"]
  let removed = [["systemctl", "--user", "daemon-reload"]]
  let remark = "It runs while you are logged in. To have it run from boot: loginctl enable-linger"

  func enabling(_ name: String) -> [[String]] {
    removed + [["systemctl", "--user", "enable", "--now", "\(name).service"]]
  }

  func disabling(_ name: String) -> [[String]] {
    [["systemctl", "--user", "disable", "--now", "\(name).service"]]
  }

  func checking(_ name: String) -> [String] { ["systemctl", "--user", "is-active", "\(name).service"] }

  func description(of service: Service) -> String {
    let variables = service.environment.map { "Environment=\(Self.quoted("\($0.name)=\($0.value)"))\n" }
    return """
      # Made by `tributary service install`, which writes it anew; `tributary service uninstall` removes it.
      [Unit]
      Description=Tributary keeps \(Self.text(service.database)) in sync
      Documentation=man:tributary(1)
      # However long a disk is away: one start a minute does no harm.
      StartLimitIntervalSec=0

      [Service]
      ExecStart=\(Self.commandLine(service.words))
      \(variables.joined())Restart=on-failure
      RestartSec=60
      # A wrong command line stays wrong.
      RestartPreventExitStatus=2
      # It ends between two steps; one step can be a large upload.
      TimeoutStopSec=60
      Nice=10
      IOSchedulingClass=idle
      NoNewPrivileges=yes
      LockPersonality=yes
      MemoryDenyWriteExecute=yes
      RestrictNamespaces=yes
      RestrictRealtime=yes
      RestrictSUIDSGID=yes
      SystemCallArchitectures=native

      [Install]
      WantedBy=default.target

      """
  }

  static func commandLine(_ words: [String]) -> String {
    let tool = words.first ?? ""
    let arguments = words.dropFirst().map(argument)
    guard tool.contains(where: { "\"'\\".contains($0) }) else {
      // A program's own path takes no variables.
      return ([quoted(tool)] + arguments).joined(separator: " ")
    }
    // systemd refuses such characters in a program's path, however they are quoted.
    let shell = [quoted("/bin/sh"), quoted("-c"), argument("exec \"$0\" \"$@\""), argument(tool)]
    return (shell + arguments).joined(separator: " ")
  }

  /// A word in which systemd would replace variables.
  private static func argument(_ word: String) -> String {
    quoted(word.map { $0 == "$" ? "$$" : String($0) }.joined())
  }

  /// A word of a setting, with nothing in it that systemd would take for more than text.
  static func quoted(_ word: String) -> String {
    let escaped = word.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\\\"
      case "\"": "\\\""
      case "%": "%%"
      case "\u{0}"..."\u{1F}", "\u{7F}": "\\x" + hexadecimal(UInt8(scalar.value))
      default: String(scalar)
      }
    }
    return "\"" + escaped.joined() + "\""
  }

  /// Free text, on one line.
  private static func text(_ text: String) -> String {
    HumanText.clean(text).map { $0 == "%" ? "%%" : String($0) }.joined()
  }
}
