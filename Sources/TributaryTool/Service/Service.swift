import TributaryCodec

/// A watcher of one database that the user's session runs in the background.
struct Service: Sendable, Equatable {
  /// The tool's own file.
  var tool: String
  /// The database, without links.
  var database: String
  var every: Int?
  /// The variables that say where this device's keys are, as they are now: a session has others than a shell.
  var environment: [(name: String, value: String)]

  /// Tells two databases of one file name apart, and is the same each time for one.
  var name: String {
    let file = FilePlace.name(database)
    let stem = file.lastIndex(of: ".").flatMap { $0 > file.startIndex ? file[..<$0] : nil } ?? file[...]
    let plain = stem.unicodeScalars.prefix(40).map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        ? Character(scalar) : "-"
    }
    let hash = Hash.digest(Array(database.utf8)).bytes.prefix(4).map(hexadecimal).joined()
    return "tributary-\(String(plain))-\(hash)"
  }

  /// The command line, the tool first.
  var words: [String] {
    [tool, "sync", "--watch"] + (every.map { ["--every=\($0)"] } ?? []) + ["--", database]
  }

  static func == (left: Service, right: Service) -> Bool {
    left.words == right.words && left.environment.elementsEqual(right.environment, by: ==)
  }
}

/// A system's way to run services of a user.
protocol ServiceManager: Sendable {
  /// Where the description of a service lies.
  func path(of name: String) -> String
  /// The file that describes it.
  func description(of service: Service) -> String
  /// Whether there is one to talk to, so that it can be told of changes.
  var check: [String] { get }
  /// Starts it now and at each login.
  func enabling(_ name: String) -> [[String]]
  /// Stops it, and starts it no more; before its file is removed.
  func disabling(_ name: String) -> [[String]]
  /// After its file was removed.
  var removed: [[String]] { get }
  /// Whether it runs.
  func checking(_ name: String) -> [String]
  /// What to know beside, for people.
  var remark: String { get }
}

enum ServiceManagers {
  /// This system's.
  static func native(_ environment: [String: String]) throws -> any ServiceManager {
    guard let home = environment["HOME"], home.hasPrefix("/") else {
      throw ToolError(.failure, "there is no place for services", remedy: "Set HOME to an absolute path.")
    }
    #if canImport(Darwin)
      return Launchd(home: home, user: Machinery.userNumber)
    #else
      return Systemd(home: home, configuration: environment["XDG_CONFIG_HOME"])
    #endif
  }
}
