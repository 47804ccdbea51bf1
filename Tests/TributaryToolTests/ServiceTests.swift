import Foundation
import Synchronization
import Testing

@testable import TributaryTool

/// Descriptions of services, and what the command does with them.
@Suite struct ServiceTests {
  private static let awkward = #"/home/me/my "own" 50% $HOME\data/it's <a> & b.db"#

  private func service(_ database: String, tool: String = "/usr/local/bin/tributary") -> Service {
    Service(tool: tool, database: database, every: nil, environment: [])
  }

  @Test func aPlainUnitReadsAsAgreed() {
    var service = service("/home/me/app.db")
    service.every = 60
    service.environment = [("TRIBUTARY_STATE_HOME", "/home/me/a b")]
    let text = Systemd(home: "/home/me", configuration: nil).description(of: service)
    #expect(text.contains("\nDescription=Tributary keeps /home/me/app.db in sync\n"))
    #expect(
      text.contains(
        "\nExecStart=\"/usr/local/bin/tributary\" \"sync\" \"--watch\" \"--every=60\" \"--\" \"/home/me/app.db\"\n"
      ))
    #expect(text.contains("\nEnvironment=\"TRIBUTARY_STATE_HOME=/home/me/a b\"\n"))
    #expect(text.contains("\nRestart=on-failure\n") && text.contains("\nWantedBy=default.target\n"))
  }

  @Test func systemdTakesAwkwardPathsForWhatTheyAre() {
    #expect(
      Systemd.commandLine(["/a $b/%c", Self.awkward])
        == #""/a $b/%%c" "/home/me/my \"own\" 50%% $$HOME\\data/it's <a> & b.db""#)
    #expect(
      Systemd.commandLine([#"/a "b"/it's"#, "$x"])
        == #""/bin/sh" "-c" "exec \"$$0\" \"$$@\"" "/a \"b\"/it's" "$$x""#)
    #expect(Systemd.quoted("a\nb\t\u{7F}") == #""a\x0ab\x09\x7f""#)
    #expect(Systemd.quoted("") == "\"\"")
  }

  @Test func systemdItselfFindsNothingWrong() throws {
    let analyze = "/usr/bin/systemd-analyze"
    guard access(analyze, X_OK) == 0 else { return }
    let folder = NSTemporaryDirectory() + "tributary-units-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // It looks whether the program is there and may be run.
    for (tool, database) in [
      ("/a b 5% $c/tributary", "/home/me/app.db"), (#"/a "b" 5% $c\d's/tributary"#, Self.awkward),
    ] {
      let tool = folder + tool
      try TextFile.replace(tool, with: "#!/bin/sh\n")
      #expect(chmod(tool, 0o755) == 0)
      var service = service(database, tool: tool)
      service.environment = [("XDG_STATE_HOME", Self.awkward)]
      let path = "\(folder)/\(service.name).service"
      try TextFile.replace(path, with: Systemd(home: folder, configuration: nil).description(of: service))
      let run = try ChildProcess.run(
        analyze, ["--user", "--man=no", "verify", path],
        environment: ["PATH=/usr/bin:/bin", "XDG_RUNTIME_DIR=\(folder)", "HOME=\(folder)"])
      #expect(run.code == 0 && run.errors == "", "\(run)")
    }
  }

  @Test func launchdGetsAPropertyListThatSaysTheSame() throws {
    var service = service(Self.awkward)
    service.environment = [("TRIBUTARY_STATE_HOME", Self.awkward)]
    let text = Launchd(home: "/Users/me & you", user: 501).description(of: service)
    let list = try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
    let object = try #require(list as? [String: Any])
    #expect(object["ProgramArguments"] as? [String] == service.words)
    #expect(object["EnvironmentVariables"] as? [String: String] == ["TRIBUTARY_STATE_HOME": Self.awkward])
    #expect(object["Label"] as? String == "org.tributary.\(service.name)")
    #expect((object["KeepAlive"] as? [String: Bool])?["SuccessfulExit"] == false)
    #expect((object["StandardOutPath"] as? String)?.hasPrefix("/Users/me & you/Library/Logs/") == true)
  }

  @Test func namesAreTheSameForOneDatabaseAndDifferForTwo() {
    let one = service("/home/me/app.db").name
    #expect(one == service("/home/me/app.db", tool: "/bin/other").name)
    #expect(one != service("/home/you/app.db").name)
    #expect(one.hasPrefix("tributary-app-"))
    let odd = service("/x/Ünï %@ \n/.db").name
    #expect(
      odd.unicodeScalars.allSatisfy {
        $0.isASCII && ($0 == "-" || $0.properties.isAlphabetic || $0.value < 58)
      })
    #expect(service("/x/" + String(repeating: "a", count: 255)).name.utf8.count < 64)
  }

  @Test func theTwoFoldersOfSystemdAreFound() {
    #expect(Systemd(home: "/h", configuration: "/c").path(of: "n") == "/c/systemd/user/n.service")
    #expect(Systemd(home: "/h", configuration: "c").path(of: "n") == "/h/.config/systemd/user/n.service")
  }

  @Test func everyWordOfTheServiceParses() throws {
    var service = service("/-x/-app.db")
    service.every = 60
    let command = try parsed(
      service.words[1], service.words[2], service.words[3], service.words[4], service.words[5])
    #expect(command.argument("DATABASE") == "/-x/-app.db" && command.has("--watch"))
    #expect(try WatchInterval.of(command) == .seconds(60))
  }
}

/// The command, with a service manager that answers by script.
@Suite struct ServiceCommandTests {
  @Test func withoutAManagerItPrintsWhatToRun() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    let manager = ScriptedManager(answers: false)
    let run = await place.service("install", "one", manager)
    #expect(run.code == .success && run.errors == "")
    let lines = run.output.split(separator: "\n").map(String.init)
    let name = try place.unit()
    #expect(lines[0] == "Wrote \(place.units)/\(name).")
    #expect(
      lines.suffix(2) == ["  systemctl --user daemon-reload", "  systemctl --user enable --now \(name)"])
    #expect(manager.told == ["systemctl --user show-environment"])
    #expect(await place.service("status", "one", manager).output.contains("no service manager answers"))
    #expect(await place.service("uninstall", "one", manager).output.contains("disable --now \(name)"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.units) == [])
    #expect(await place.service("status", "one", manager).code == .failure)
  }

  @Test func withAManagerItIsStartedAndStopped() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    let manager = ScriptedManager(answers: true)
    #expect(await place.service("install", "one", manager).output.contains("\nIt runs. "))
    let name = try place.unit()
    #expect(
      manager.told.suffix(2) == ["systemctl --user daemon-reload", "systemctl --user enable --now \(name)"])
    #expect(await place.service("status", "one", manager).output.hasSuffix("It runs.\n"))
    #expect(await place.service("install", "one", manager, "--every", "60").code == .success)
    #expect(manager.told.contains("systemctl --user disable --now \(name)"))
    let text = try String(contentsOfFile: "\(place.units)/\(name)", encoding: .utf8)
    #expect(
      text.contains("\"--every=60\"")
        && text.contains("Environment=\"TRIBUTARY_STATE_HOME=\(place.state("one"))\""))
    #expect(await place.service("uninstall", "one", manager).code == .success)
    #expect(
      manager.told.suffix(2) == ["systemctl --user disable --now \(name)", "systemctl --user daemon-reload"])
    #expect(await place.service("uninstall", "one", manager).output.hasPrefix("There is no service"))
  }

  @Test func aDatabaseThatIsGoneCanBeUninstalled() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    let manager = ScriptedManager(answers: false)
    #expect(await place.service("install", "one", manager).code == .success)
    try FileManager.default.removeItem(atPath: place.database("one"))
    #expect(await place.service("uninstall", "one", manager).output.hasPrefix("Removed "))
  }

  @Test func nothingIsInstalledForWhatIsNotAttachedAndPrintWritesNoFile() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    let manager = ScriptedManager(answers: false)
    #expect(await place.service("install", "none", manager).code == .notAttached)
    #expect(await place.service("install", "one", manager, "--print").output.contains("\n[Service]\n"))
    #expect(!FileManager.default.fileExists(atPath: place.units))
    #expect(await place.service("status", "one", manager, "--print").code == .usage)
    #expect(await place.service("start", "one", manager).code == .usage)
    #expect(await place.service("install", "one", manager, "--every", "1").code == .usage)
    #expect(await place.service("install", "a\nb", manager, "--print").code == .usage)
  }
}

/// Counts as there, or not, and takes every order.
private final class ScriptedManager: Sendable {
  private let answers: Bool
  private let orders = Mutex<[String]>([])

  init(answers: Bool) { self.answers = answers }

  var told: [String] { orders.withLock { $0 } }

  func take(_ words: [String]) -> Int32 {
    orders.withLock { $0.append(words.joined(separator: " ")) }
    return answers ? 0 : 1
  }
}

extension Place {
  fileprivate var units: String { path + "/configuration/systemd/user" }

  /// The file name of the only unit.
  fileprivate func unit() throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: units)
    guard names.count == 1 else { throw ToolError(.failure, "\(names)") }
    return names[0]
  }

  fileprivate func service(
    _ action: String, _ device: String, _ manager: ScriptedManager, _ words: String...
  ) async -> Outcome {
    let (output, errors) = (CollectingSink(), CollectingSink())
    var context = ToolContext.scripted(output: output, errors: errors)
    context.environment = ["TRIBUTARY_STATE_HOME": state(device)]
    let command = ServiceCommand(
      execute: { words, _ in manager.take(words) },
      manager: Systemd(home: path, configuration: path + "/configuration"))
    let code = await Tool(runners: [command]).run(["service", action, database(device)] + words, in: context)
    return Outcome(code: code, output: output.text, errors: errors.text)
  }
}
