import Tributary
import TributaryModel
import TributaryRemotes
import TributaryStore

/// Shows what each device takes on the remote, and what the engine takes in the database.
struct UsageCommand: CommandRunner {
  let spec = CommandSpec.usage

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    let attached = try AttachedStore.find(command.argument("DATABASE") ?? "")
    let (local, names) = try attached.looking(context) { look in
      (try look.view.localUsage(), look.names)
    }
    let isJSON = command.has("--json")
    let path = attached.path
    for line in isJSON ? LocalLines.json(local) : LocalLines.text(local, path) {
      try context.output.write(line)
    }
    let remote = try attached.note(.remote)
    let devices = try DeviceUsage.all(FolderRemote(path: remote), context)
    for line in isJSON ? RemoteLines.json(devices, names) : RemoteLines.text(devices, names, remote) {
      try context.output.write(line)
    }
    return .success
  }
}

/// What one device has on the remote.
private struct DeviceUsage {
  struct Sum {
    var files = 0
    var bytes = 0
  }

  static let kinds = ["logs", "snapshots", "heads", "keys"]

  let device: DeviceID
  /// By kind, in the order of ``kinds``.
  var sums = [Sum](repeating: Sum(), count: kinds.count)
  /// Files whose size is not known, as they are not on this machine.
  var notDownloaded = 0
  var ignored = 0

  var files: Int { sums.reduce(0) { $0 + $1.files } }
  var bytes: Int { sums.reduce(0) { $0 + $1.bytes } }

  static func all(_ remote: FolderRemote, _ context: ToolContext) throws -> [DeviceUsage] {
    try RemoteArgument.checkFolder(remote)
    return try remote.list(device: nil).devices.sorted().map { device in
      try context.checkInterruption()
      return DeviceUsage(device, try remote.list(device: device))
    }
  }

  private init(_ device: DeviceID, _ listing: Listing) {
    self.device = device
    ignored = listing.ignored
    for entry in listing.entries {
      let kind = Self.kind(entry.name)
      sums[kind].files += 1
      sums[kind].bytes += entry.size ?? 0
      if entry.size == nil { notDownloaded += 1 }
    }
  }

  private static func kind(_ name: RemoteName) -> Int {
    switch name {
    case .log: 0
    case .snapshot: 1
    case .head: 2
    case .key, .fence: 3
    }
  }
}

private enum RemoteLines {
  static func text(_ devices: [DeviceUsage], _ names: DeviceNames, _ remote: String) -> [String] {
    var lines = ["On the remote, \(HumanText.clean(remote)):"]
    for usage in devices {
      let kinds = zip(DeviceUsage.kinds, usage.sums).filter { $0.1.files > 0 }.map { kind, sum in
        "\(kind) \(sum.files) (\(HumanText.bytes(sum.bytes)))"
      }
      var line = "  \(names.text(usage.device)): \(size(usage.files, usage.bytes))"
      if !kinds.isEmpty { line += ": " + kinds.joined(separator: ", ") }
      if usage.notDownloaded > 0 { line += "; \(usage.notDownloaded) not on this machine, of unknown size" }
      if usage.ignored > 0 { line += "; \(HumanText.number(usage.ignored, "other name")) ignored" }
      lines.append(line)
    }
    let (files, bytes) = (devices.reduce(0) { $0 + $1.files }, devices.reduce(0) { $0 + $1.bytes })
    lines.append("  all: \(size(files, bytes))")
    return lines.map { $0 + "\n" }
  }

  private static func size(_ files: Int, _ bytes: Int) -> String {
    "\(HumanText.number(files, "file")), \(HumanText.bytes(bytes))"
  }

  static func json(_ devices: [DeviceUsage], _ names: DeviceNames) -> [String] {
    devices.map { usage in
      let kinds = zip(DeviceUsage.kinds, usage.sums).map { kind, sum in
        JSONValue.Member(key: kind, value: ["files": count(sum.files), "bytes": count(sum.bytes)])
      }
      return JSONValue(
        members: [.init(key: "side", value: "remote")], names.json(usage.device),
        [.init(key: "files", value: count(usage.files)), .init(key: "bytes", value: count(usage.bytes))],
        kinds,
        [
          .init(key: "notDownloaded", value: count(usage.notDownloaded)),
          .init(key: "ignoredNames", value: count(usage.ignored)),
        ]
      ).line
    }
  }

  private static func count(_ number: Int) -> JSONValue { .integer(Int64(number)) }
}

private enum LocalLines {
  static func text(_ usage: LocalUsage, _ path: String) -> [String] {
    let measure =
      usage.isWholePages ? "whole pages, indexes included" : "their contents, without SQLite's own share"
    var lines = ["In \(HumanText.clean(path)), \(HumanText.bytes(usage.fileBytes)):"]
    lines += usage.tables.filter { $0.rows > 0 }.map {
      "  \($0.name): \(HumanText.number($0.rows, "row")), \(HumanText.bytes($0.bytes))"
    }
    let total = usage.tables.reduce(0) { $0 + $1.bytes }
    lines.append("  all tables of Tributary's: \(HumanText.bytes(total)) (\(measure))")
    return lines.map { $0 + "\n" }
  }

  static func json(_ usage: LocalUsage) -> [String] {
    let measure = JSONValue.string(usage.isWholePages ? "pages" : "content")
    let file: JSONValue = [
      "side": "local", "fileBytes": .integer(Int64(usage.fileBytes)), "measure": measure,
    ]
    return [file.line]
      + usage.tables.map { table -> String in
        let line: JSONValue = [
          "side": "local", "table": .string(table.name), "rows": .integer(Int64(table.rows)),
          "bytes": .integer(Int64(table.bytes)),
        ]
        return line.line
      }
  }
}
