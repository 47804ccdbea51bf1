import Testing

@testable import TributaryTool

@Suite struct AttachedCommandTests {
  @Test func twoDevicesExportTheSameAfterEditingApart() async throws {
    let place = try Place()
    defer { place.remove() }
    #expect(
      await place.run("one", "attach", place.remote, "--schema", place.schema, "--new").code == .success)
    #expect(await place.run("two", "attach", place.remote, "--schema", place.schema).code == .success)
    #expect(await place.run("one", "sql", "INSERT INTO note(id,text) VALUES('a','first')").code == .success)
    #expect(await place.run("two", "sql", "INSERT INTO note(id,text) VALUES('b','second')").code == .success)
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
    _ = await place.run("one", "sql", "INSERT INTO note(id,text) VALUES('a','first')")
    let export = await place.run("one", "export", "--canonical")
    #expect(export.code == .failure && export.output == "")
  }
}
