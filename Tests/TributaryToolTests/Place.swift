import Foundation
import SQLite
import TributaryModel

@testable import TributaryTool

/// A folder with a remote, a schema, and the devices' databases and secrets.
struct Place {
  let path = NSTemporaryDirectory() + "tributary-" + UUID().uuidString
  var remote: String { path + "/remote" }
  var schema: String { path + "/schema.json" }

  init() throws {
    try makeRemote()
    try write(schema, named: "org.example.notes")
  }

  /// A place where the named devices are attached, the first having started the set.
  static func attached(_ devices: String...) async throws -> Place {
    let place = try Place()
    for device in devices { try await place.attach(device, isFirst: device == devices[0]) }
    return place
  }

  func makeRemote() throws {
    try FileManager.default.createDirectory(atPath: remote, withIntermediateDirectories: true)
  }

  /// Takes everything out of the folder.
  func emptyRemote() throws {
    try FileManager.default.removeItem(atPath: remote)
    try makeRemote()
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }

  func write(_ schema: String, named name: String) throws {
    let text = """
      {"name": "\(name)", "tables": [{"name": "note", "key": ["id"], "columns": [
        {"name": "id", "type": "text"}, {"name": "text", "type": "text"},
        {"name": "code", "type": "text", "null": true, "unique": true}]}]}
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: schema))
  }

  func database(_ device: String) -> String { "\(path)/\(device).db" }

  /// Puts a file without meaning where a database should be.
  func put(_ bytes: [UInt8], as device: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: database(device)))
  }

  /// Copies a database to another device, without its secrets.
  func copy(_ device: String, to other: String) throws {
    try FileManager.default.copyItem(atPath: database(device), toPath: database(other))
  }

  /// What another program does to a device's database that has taken the guards away.
  func bypass(_ device: String, _ sql: String) throws {
    let connection = try Connection.open(database(device))
    defer { connection.close() }
    for row in try connection.rows("SELECT name FROM sqlite_master WHERE name LIKE 'tributary_guard%'") {
      try connection.execute("DROP TRIGGER \(row[0].string ?? "")")
    }
    try connection.execute(sql)
  }
}

// MARK: - The tool within the test

extension Place {
  struct Outcome {
    let code: ExitCode
    let output: String
    let errors: String
  }

  func attach(_ device: String, isFirst: Bool = false) async throws {
    let outcome = await run(
      device, "attach", words: [remote, "--schema", schema, "--device", device] + (isFirst ? ["--new"] : []))
    guard outcome.code == .success else { throw ToolError(outcome.code, outcome.errors) }
  }

  func run(
    _ device: String, _ command: String, _ words: String..., password: String = "correct horse",
    isTerminal: Bool = false, isInterrupted: Bool = false
  ) async -> Outcome {
    await run(
      device, command, words: words, password: password, isTerminal: isTerminal, isInterrupted: isInterrupted)
  }

  func run(
    _ device: String, _ command: String, words: [String], password: String = "correct horse",
    isTerminal: Bool = false, isInterrupted: Bool = false
  ) async -> Outcome {
    let (output, errors) = (CollectingSink(), CollectingSink())
    var context = ToolContext.scripted(output: output, errors: errors, isTerminal: isTerminal)
    context.isInterrupted = { isInterrupted }
    context.environment = [PasswordInput.variable: password, "TRIBUTARY_STATE_HOME": state(device)]
    let code = await Tool.standard.run([command, database(device)] + words, in: context)
    return Outcome(code: code, output: output.text, errors: errors.text)
  }

  func state(_ device: String) -> String { "\(path)/\(device)-state" }

  func sync(_ devices: String...) async -> [ExitCode] {
    var codes: [ExitCode] = []
    for device in devices { codes.append(await run(device, "sync").code) }
    return codes
  }
}

// MARK: - The tool as a process

extension Place {
  func start(
    _ device: String, _ command: String, _ words: String..., password: String = "correct horse"
  ) throws -> RunningProcess {
    try RunningProcess(
      BuiltTool.path(), [command, database(device)] + words, environment: environment(device, password))
  }

  func tool(
    _ device: String, _ command: String, _ words: String..., password: String = "correct horse"
  ) throws -> ChildProcess {
    try ChildProcess.run(
      BuiltTool.path(), [command, database(device)] + words, environment: environment(device, password))
  }

  func shell(_ script: String, _ device: String) throws -> ChildProcess {
    try startShell(script, device).finish()
  }

  func startShell(_ script: String, _ device: String) throws -> RunningProcess {
    try RunningProcess(
      "/bin/sh", ["-c", script, BuiltTool.path(), database(device), remote, schema],
      environment: environment(device, "correct horse"))
  }

  private func environment(_ device: String, _ password: String) -> [String] {
    [
      "PATH=/usr/bin:/bin:/usr/sbin:/sbin", "TRIBUTARY_STATE_HOME=\(state(device))",
      "\(PasswordInput.variable)=\(password)",
    ]
  }
}

// MARK: - The remote's files

extension Place {
  /// Paths below the remote of files that end so, in order.
  func files(_ suffix: String) throws -> [String] {
    let all = FileManager.default.enumerator(atPath: remote)?.allObjects.compactMap { $0 as? String } ?? []
    return all.filter { $0.hasSuffix(suffix) }.sorted()
  }

  func bytes(_ file: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: "\(remote)/\(file)")))
  }

  func put(_ bytes: [UInt8], at file: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(remote)/\(file)"))
  }

  func delete(_ file: String) throws { try FileManager.default.removeItem(atPath: "\(remote)/\(file)") }

  func move(_ old: String, to new: String) throws {
    try FileManager.default.moveItem(atPath: old, toPath: new)
  }
}
