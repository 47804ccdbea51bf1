import Foundation

/// Figures by phase, in the order in which they came.
struct Results {
  private struct Phase {
    let name: String
    let target: String
    var ours: [Double] = []
    var session: [Double] = []
    var memory = 0.0
    var wal = 0.0
  }

  private var phases: [Phase] = []

  /// One figure of a phase; `session` is the same of the session extension.
  mutating func add(
    _ name: String, _ target: String, _ ours: Double, session: Double? = nil, _ cost: Cost = Cost()
  ) {
    let index = phases.firstIndex { $0.name == name } ?? phases.count
    if index == phases.count { phases.append(Phase(name: name, target: target)) }
    phases[index].ours.append(ours)
    if let session { phases[index].session.append(session) }
    phases[index].memory = max(phases[index].memory, cost.memory)
    phases[index].wal = max(phases[index].wal, cost.wal)
  }

  func show(_ title: String) {
    print("\n" + title)
    print(Self.line("phase", ["ours", "from", "to", "session", "RSS MiB", "WAL MiB"], "target"))
    for phase in phases {
      let sorted = phase.ours.sorted()
      let session = phase.session.sorted()
      print(
        Self.line(
          phase.name,
          [
            Self.number(Self.median(sorted)), Self.number(sorted.first), Self.number(sorted.last),
            Self.number(Self.median(session)), Self.size(phase.memory), Self.size(phase.wal),
          ], phase.target))
    }
  }

  private static func median(_ sorted: [Double]) -> Double? {
    sorted.isEmpty ? nil : sorted[sorted.count / 2]
  }

  private static func number(_ value: Double?) -> String { value.map { String(format: "%.2f", $0) } ?? "" }

  private static func size(_ value: Double) -> String { value == 0 ? "" : String(format: "%.1f", value) }

  private static func line(_ name: String, _ figures: [String], _ target: String) -> String {
    let name = name.padding(toLength: 46, withPad: " ", startingAt: 0)
    let figures = figures.map { String(repeating: " ", count: max(0, 9 - $0.count)) + $0 }
    return name + figures.joined() + "   " + target
  }
}

/// What a phase took beside time, in MiB.
struct Cost {
  /// The most resident memory above what was there before.
  var memory = 0.0
  /// The write-ahead log after it.
  var wal = 0.0
}

/// Measures one phase.
enum Measure {
  static func seconds(_ body: () -> Void) -> Double { ContinuousClock().measure(body) / .seconds(1) }

  static func time(_ body: () async throws -> Void) async throws -> Double {
    try await ContinuousClock().measure(body) / .seconds(1)
  }

  /// Time, memory and the write-ahead log of the database at `path`.
  static func all(_ path: String, _ body: () async throws -> Void) async throws -> (time: Double, cost: Cost)
  {
    forgetPeak()
    let before = status("VmRSS")
    let time = try await time(body)
    let cost = Cost(
      memory: max(0, status("VmHWM") - before), wal: size(path + "-wal") / 1_048_576)
    return (time, cost)
  }

  /// Bytes of a file; 0 if it is not there.
  static func size(_ path: String) -> Double {
    let found = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
    return found?.doubleValue ?? 0
  }

  /// Bytes of the logs and snapshots in a remote.
  static func remoteSize(_ path: String) -> Double {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasSuffix(".log") || $0.hasSuffix(".snap") }.reduce(0) {
      $0 + size("\(path)/\($1)")
    }
  }

  private static func forgetPeak() {
    guard let file = fopen("/proc/self/clear_refs", "w") else { return }
    fputs("5", file)
    fclose(file)
  }

  /// A figure of the process in MiB; 0 where there is no /proc.
  private static func status(_ name: String) -> Double {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return 0 }
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    let digits = line?.filter(\.isNumber) ?? ""
    return (Double(digits) ?? 0) / 1024
  }
}
