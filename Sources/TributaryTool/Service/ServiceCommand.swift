/// Has a database watched in the background, by the user's own service manager.
struct ServiceCommand: CommandRunner {
  let spec = CommandSpec.service
  /// Runs a program of the system and says what it exits with.
  var execute: @Sendable (_ words: [String], _ isQuiet: Bool) -> Int32 = {
    SystemCommand.run($0, isQuiet: $1)
  }
  /// This system's manager, unless a test has another.
  var manager: (any ServiceManager)?

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    let action = command.argument("ACTION") ?? ""
    guard action == "install" || (!command.has("--print") && command.value("--every") == nil) else {
      throw ToolError.usage("--print and --every go with `service install` only")
    }
    let manager = try manager ?? ServiceManagers.native(context.environment)
    let service = try service(for: command, context)
    switch action {
    case "install":
      let description = manager.description(of: service)
      if command.has("--print") {
        try context.output.write(description)
      } else {
        try install(service, description, manager, context)
      }
      return .success
    case "uninstall": return try uninstall(service, manager, context)
    case "status": return try status(service, manager, context)
    default:
      throw ToolError.usage(
        "service knows no \"\(action)\"",
        remedy: "It takes install, uninstall or status, and then the database.")
    }
  }

  private func service(for command: ParsedCommand, _ context: ToolContext) throws -> Service {
    let path = command.argument("DATABASE") ?? ""
    let names = ["TRIBUTARY_STATE_HOME", "XDG_STATE_HOME"]
    let service = Service(
      tool: try Machinery.executable(), database: FilePlace.resolved(path),
      every: try WatchInterval.of(command).map { Int($0.components.seconds) },
      environment: names.compactMap { name in context.environment[name].map { (name, $0) } })
    // They would end a line of the description, and nobody has such paths on purpose.
    for text in service.words + service.environment.map(\.value) where HumanText.clean(text) != text {
      throw ToolError.usage("\(HumanText.clean(text)) has a control character, which a service cannot have")
    }
    return service
  }
}

extension ServiceCommand {
  private func install(
    _ service: Service, _ description: String, _ manager: any ServiceManager, _ context: ToolContext
  ) throws {
    // A service that can never work is not installed.
    _ = try AttachedStore.find(service.database)
    let path = manager.path(of: service.name)
    let commands = manager.enabling(service.name)
    let isManaged = execute(manager.check, true) == 0
    // One that runs has the command line that it was started with.
    if isManaged, Machinery.kind(path) != .absent { stop(service, manager) }
    try TextFile.replace(path, with: description)
    try context.output.write("Wrote \(HumanText.clean(path)).\n")
    guard isManaged else {
      return try context.output.write("To start it, now and at each login:\n" + Self.shown(commands))
    }
    try carryOut(commands)
    try context.output.write("It runs. \(manager.remark)\n")
  }

  private func uninstall(
    _ service: Service, _ manager: any ServiceManager, _ context: ToolContext
  ) throws -> ExitCode {
    let path = manager.path(of: service.name)
    guard Machinery.kind(path) != .absent else {
      try context.output.write("There is no service for \(HumanText.clean(service.database)).\n")
      return .success
    }
    let isManaged = execute(manager.check, true) == 0
    if isManaged { stop(service, manager) }
    Machinery.remove(path)
    guard Machinery.kind(path) == .absent else { throw ToolError(.failure, "\(path) cannot be removed") }
    if isManaged { for command in manager.removed { _ = execute(command, true) } }
    try context.output.write("Removed \(HumanText.clean(path)).\n")
    if !isManaged {
      try context.output.write(
        "If it runs, stop it:\n" + Self.shown(manager.disabling(service.name) + manager.removed))
    }
    return .success
  }

  private func status(
    _ service: Service, _ manager: any ServiceManager, _ context: ToolContext
  ) throws -> ExitCode {
    let path = manager.path(of: service.name)
    guard Machinery.kind(path) != .absent else {
      throw ToolError(
        .failure, "there is no service for \(service.database)",
        remedy: "To install one: tributary service install \(service.database)")
    }
    try context.output.write("Installed as \(HumanText.clean(path)).\n")
    guard execute(manager.check, true) == 0 else {
      try context.output.write("Nothing is known of whether it runs: no service manager answers.\n")
      return .success
    }
    guard execute(manager.checking(service.name), true) == 0 else {
      throw ToolError(
        .failure, "it does not run", remedy: "To start it:\n" + Self.shown(manager.enabling(service.name)))
    }
    try context.output.write("It runs.\n")
    return .success
  }

  /// One that was never started cannot be stopped, and that is fine.
  private func stop(_ service: Service, _ manager: any ServiceManager) {
    for command in manager.disabling(service.name) { _ = execute(command, true) }
  }

  private func carryOut(_ commands: [[String]]) throws {
    for command in commands where execute(command, false) != 0 {
      throw ToolError(
        .failure, "`\(command.joined(separator: " "))` failed",
        remedy: "The service is installed all the same.")
    }
  }

  private static func shown(_ commands: [[String]]) -> String {
    commands.map { "  " + $0.map(KeyWords.quoted).joined(separator: " ") + "\n" }.joined()
  }
}
