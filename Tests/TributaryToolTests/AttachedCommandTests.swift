import Foundation
import Testing

@testable import TributaryTool

@Suite struct AttachedCommandTests {
  @Test func twoDevicesExportTheSameAfterEditingApart() async throws {
    let place = try Place()
    defer { place.remove() }
    #expect(
      await place.run("one", "attach", place.remote, "--schema", place.schema, "--new").code == .success)
    #expect(await place.run("two", "attach", place.remote, "--schema", place.schema).code == .success)
    #expect(await place.run("one", "sql", "INSERT INTO note VALUES('a','first')").code == .success)
    #expect(await place.run("two", "sql", "INSERT INTO note VALUES('b','second')").code == .success)
    for device in ["one", "two", "one"] { #expect(await place.run(device, "sync").code == .success) }
    let exported = await place.run("one", "export", "--canonical").output
    #expect(exported.split(separator: "\n").count == 2)
    #expect(await place.run("two", "export", "--canonical").output == exported)
  }

  @Test func aDatabaseThatIsNotAttachedEndsWithThree() async throws {
    let place = try Place()
    defer { place.remove() }
    #expect(await place.run("one", "sync").code == .notAttached)
  }

  @Test func aWrongPasswordEndsWithFourAndCanBeTriedAgain() async throws {
    let place = try Place()
    defer { place.remove() }
    _ = await place.run("one", "attach", place.remote, "--schema", place.schema, "--new")
    let wrong = await place.run(
      "two", "attach", place.remote, "--schema", place.schema, password: "another one")
    #expect(wrong.code == .wrongPassword)
    #expect(await place.run("two", "attach", place.remote, "--schema", place.schema).code == .success)
  }

  @Test func anExportBeforeTheSyncIsRefused() async throws {
    let place = try Place()
    defer { place.remove() }
    _ = await place.run("one", "attach", place.remote, "--schema", place.schema, "--new")
    _ = await place.run("one", "sql", "INSERT INTO note VALUES('a','first')")
    let export = await place.run("one", "export", "--canonical")
    #expect(export.code == .failure && export.output == "")
  }
}

/// A folder with a remote, a schema, and the devices' databases and secrets.
private struct Place {
  let path = NSTemporaryDirectory() + "tributary-" + UUID().uuidString
  var remote: String { path + "/remote" }
  var schema: String { path + "/schema.json" }

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let text = """
      {"name": "org.example.notes", "tables": [{"name": "note", "key": ["id"], "columns": [
        {"name": "id", "type": "text"}, {"name": "text", "type": "text"}]}]}
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: schema))
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }

  func run(
    _ device: String, _ command: String, _ words: String..., password: String = "correct horse"
  ) async -> (code: ExitCode, output: String) {
    let output = CollectingSink()
    var context = ToolContext.scripted(output: output, errors: CollectingSink())
    context.environment = [
      PasswordInput.variable: password, "TRIBUTARY_STATE_HOME": "\(path)/\(device)-state",
    ]
    let code = await Tool.standard.run([command, "\(path)/\(device).db"] + words, in: context)
    return (code, output.text)
  }
}
