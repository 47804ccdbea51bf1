/// launchd's manager for one user's session.
struct Launchd: ServiceManager {
  let home: String
  let user: UInt32

  func path(of name: String) -> String { "\(home)/Library/LaunchAgents/\(label(name)).plist" }

  private func label(_ name: String) -> String { "org.tributary.\(name)" }
  private var domain: String { "gui/\(user)" }

  var check: [String] { ["launchctl", "print", domain] }
  let removed: [[String]] = []
  var remark: String { "It runs while you are logged in, and writes to \(home)/Library/Logs." }

  func enabling(_ name: String) -> [[String]] {
    [["launchctl", "bootstrap", domain, path(of: name)]]
  }

  func disabling(_ name: String) -> [[String]] { [["launchctl", "bootout", "\(domain)/\(label(name))"]] }

  func checking(_ name: String) -> [String] { ["launchctl", "print", "\(domain)/\(label(name))"] }

  func description(of service: Service) -> String {
    let words = service.words.map { "    <string>\(Self.escaped($0))</string>" }.joined(separator: "\n")
    let variables = service.environment.map {
      "    <key>\(Self.escaped($0.name))</key>\n    <string>\(Self.escaped($0.value))</string>\n"
    }
    let log = Self.escaped("\(home)/Library/Logs/\(label(service.name)).log")
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <!-- Made by `tributary service install`, which writes it anew. -->
      <plist version="1.0">
      <dict>
        <key>Label</key>
        <string>\(label(service.name))</string>
        <key>ProgramArguments</key>
        <array>
      \(words)
        </array>
        <key>EnvironmentVariables</key>
        <dict>
      \(variables.joined())  </dict>
        <key>RunAtLoad</key>
        <true/>
        <key>KeepAlive</key>
        <dict>
          <key>SuccessfulExit</key>
          <false/>
        </dict>
        <key>ThrottleInterval</key>
        <integer>60</integer>
        <key>ProcessType</key>
        <string>Background</string>
        <key>LowPriorityIO</key>
        <true/>
        <key>Nice</key>
        <integer>10</integer>
        <key>StandardOutPath</key>
        <string>\(log)</string>
        <key>StandardErrorPath</key>
        <string>\(log)</string>
      </dict>
      </plist>

      """
  }

  /// Text of an XML element. Control characters, which XML cannot carry, are refused before.
  static func escaped(_ text: String) -> String {
    text.map { character -> String in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&apos;"
      default: String(character)
      }
    }.joined()
  }
}
