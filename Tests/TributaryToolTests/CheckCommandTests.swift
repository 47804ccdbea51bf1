import Foundation
import Testing
import TributaryCodec

@testable import TributaryTool

/// `check` against files that somebody tampered with.
@Suite struct CheckCommandTests {
  @Test func whatIsWholePassesOnBothSides() async throws {
    let place = try await Place.synced()
    defer { place.remove() }
    let check = await place.run("one", "check")
    #expect(check.code == .success && check.errors == "")
    #expect(
      check.output.hasPrefix(
        "Checked 3 records, 3 rows, 6 values against sealed logs, 2 devices with 8 files"))
    #expect(check.output.hasSuffix("No damage.\n"))
  }

  @Test func everyWritePastTheEngineIsNamed() async throws {
    let place = try await Place.synced()
    defer { place.remove() }
    try place.bypass(
      "one",
      "INSERT INTO note VALUES('x','new',NULL); UPDATE note SET text='changed' WHERE id='b'; "
        + "DELETE FROM note WHERE id='a'")
    let check = await place.run("one", "check")
    #expect(check.code == .damage)
    for name in [
      "note “x”: Its table shows it", "note “b”: Its text was changed", "note “a”: The state has it",
    ] {
      #expect(check.output.contains(name))
    }
    #expect(check.output.contains("The triggers that keep other programs from writing are missing"))
    #expect(check.output.hasSuffix("4 problems found.\n"))
    // The peer's edit of b is only on the remote.
    #expect(await !place.run("one", "check", "--local").output.contains("“b”"))
  }

  @Test func aFindingIsOneLineOfJSON() async throws {
    let place = try await Place.synced()
    defer { place.remove() }
    try place.bypass("one", "INSERT INTO note VALUES('x\u{7}','new',NULL)")
    let lines = await place.run("one", "check", "--json").output.split(separator: "\n")
    let objects = try lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(objects.map { $0["event"] as? String } == ["finding", "finding", "summary"])
    #expect(objects[1]["kind"] as? String == "extraRow" && objects[1]["key"] as? [String] == ["x\u{7}"])
    #expect(objects[2]["damage"] as? Int == 2)
  }

  @Test func aFileThatIsDamagedIsNamedAndNoOther() async throws {
    let place = try await Place.synced()
    defer { place.remove() }
    for file in try place.files("") where file.hasSuffix(".bin") || file.hasSuffix(".log") {
      let whole = try place.bytes(file)
      var damaged = whole
      damaged[damaged.count - 20] ^= 1
      try place.put(damaged, at: file)
      let check = await place.run("one", "check")
      #expect(check.code == .damage && check.output.hasPrefix("\(file) ("), "\(file)")
      #expect(check.output.hasSuffix("1 problem found.\n"), "\(file)")
      try place.put(Array(whole.dropLast()), at: file)
      #expect(await place.run("one", "check").code == .damage, "\(file)")
      try place.put(whole, at: file)
    }
    #expect(await place.run("one", "check").code == .success)
  }

  @Test func aFlippedByteIsNotTakenForAnotherKeyAlone() async throws {
    let place = try await Place.synced()
    defer { place.remove() }
    let log = try #require(try place.files(".log").first)
    var damaged = try place.bytes(log)
    // The commitment follows the header.
    damaged[ContainerHeader.size] ^= 1
    try place.put(damaged, at: log)
    let line = try #require(await place.run("one", "check").output.split(separator: "\n").first)
    #expect(line.contains("A log of device ") && line.contains("does not open: it is damaged, or was sealed"))
    let id = try #require(log.split(separator: "/").dropFirst().first)
    #expect(line.contains("of device \(id) (one)") || line.contains("of device \(id) (two)"), "\(line)")
  }

  @Test func missingLogsAreNamed() async throws {
    let place = try await Place.synced()
    defer { place.remove() }
    let logs = try place.files(".log").filter { $0.contains("0000000000000002") }
    let second = try #require(logs.first)
    let first = second.replacingOccurrences(of: "2.log", with: "1.log")
    let bytes = try place.bytes(second)
    try place.delete(second)
    #expect(await place.run("one", "check").output.contains("Log 2 is missing, though the head has them."))
    try place.put(bytes, at: second)
    try place.delete(first)
    #expect(await place.run("one", "check").output.contains("Log 1 is missing, and no snapshot covers them."))
  }

  @Test func aFileUnderAnotherNameDoesNotPass() async throws {
    let place = try await Place.synced()
    defer { place.remove() }
    let second = try #require(try place.files("0000000000000002.log").first)
    let first = second.replacingOccurrences(of: "2.log", with: "1.log")
    let (one, two) = (try place.bytes(first), try place.bytes(second))
    try place.put(two, at: first)
    try place.put(one, at: second)
    let check = await place.run("one", "check")
    #expect(check.output.contains("\(first) (") && check.output.contains("\(second) ("))
  }

  @Test func aFolderThatWentBackIsFoundByWhatWasRead() async throws {
    let place = try await Place.synced()
    defer { place.remove() }
    try place.move(place.remote, to: place.path + "/kept")
    try FileManager.default.copyItem(atPath: place.path + "/kept", toPath: place.remote)
    for device in ["two", "one", "two"] {
      #expect(
        await place.run(device, "sql", "INSERT INTO note VALUES('\(UUID())','t',NULL)").code == .success)
      #expect(await place.run(device, "sync").code == .success)
    }
    #expect(await place.run("one", "sync").code == .success)
    #expect(await place.run("one", "check").code == .success)
    try FileManager.default.removeItem(atPath: place.remote)
    try place.move(place.path + "/kept", to: place.remote)
    let check = await place.run("one", "check")
    #expect(check.code == .damage && check.output.contains("This device has read log"))
    #expect(check.output.contains("the folder went back"))
  }

  @Test func aFolderThatIsGoneIsDamage() async throws {
    let place = try await Place.synced()
    defer { place.remove() }
    for folder in try FileManager.default.contentsOfDirectory(atPath: place.remote + "/sync") {
      let path = "\(place.remote)/sync/\(folder)"
      try place.move(path, to: place.path + "/kept")
      #expect(await place.run("one", "check").code == .damage)
      try place.move(place.path + "/kept", to: path)
    }
  }

  @Test func whatIsNotDownloadedIsUnknownAndNotDamaged() async throws {
    let place = try await Place.synced()
    defer { place.remove() }
    let log = try #require(try place.files(".log").last)
    let parts = log.split(separator: "/")
    try place.delete(log)
    try place.put([], at: "\(parts[0])/\(parts[1])/.\(parts[2]).icloud")
    try place.put([1], at: "\(parts[0])/\(parts[1])/conflicted copy.log")
    let check = await place.run("one", "check")
    #expect(check.code == .held)
    #expect(check.output.contains("Its bytes are not on this machine yet."))
    #expect(check.output.contains("1 name there that is not Tributary's"))
    #expect(check.output.hasSuffix("No damage, but not everything could be looked at.\n"))
  }

  @Test func theLocalSideIsCheckedWhenTheRemoteIsAway() async throws {
    let place = try await Place.synced()
    defer { place.remove() }
    try FileManager.default.removeItem(atPath: place.remote)
    #expect(await place.run("one", "check").code == .remoteUnavailable)
    #expect(await place.run("one", "check", "--local").code == .success)
    try place.bypass("one", "INSERT INTO note VALUES('x','new',NULL)")
    let check = await place.run("one", "check")
    #expect(check.code == .damage && check.output.contains("“x”"))
    #expect(check.errors.contains("Could not open the folder"))
  }

  @Test func withoutKeysOnlyTheDatabaseCanBeChecked() async throws {
    let place = try await Place.synced()
    defer { place.remove() }
    try place.copy("one", to: "three")
    #expect(await place.run("three", "check").code == .notAttached)
    #expect(await place.run("three", "check", "--local").code == .success)
    #expect(await place.run("one", "check", "--local", "--remote").code == .usage)
  }

  @Test func anInterruptionEndsACheckOfEitherSide() async throws {
    let place = try await Place.synced()
    defer { place.remove() }
    for side in ["--local", "--remote"] {
      #expect(await place.run("one", "check", side, isInterrupted: true).code == .interrupted)
    }
  }

  @Test func manyFindingsAreCountedForPeople() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    try place.bypass(
      "one",
      "WITH n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<300) INSERT INTO note SELECT i,i,NULL FROM n"
    )
    let check = await place.run("one", "check", "--local")
    #expect(check.output.contains("... and 201 more"))
    let lines = await place.run("one", "check", "--local", "--json").output.split(separator: "\n")
    #expect(lines.count == 302)
  }
}

extension Place {
  /// Two devices that have each sent two logs and read the other's.
  fileprivate static func synced() async throws -> Place {
    let place = try await Place.attached("one", "two")
    let edits = [
      ("one", "INSERT INTO note VALUES('a','first','c')"),
      ("two", "INSERT INTO note VALUES('b','second',NULL)"),
      ("one", "INSERT INTO note VALUES('c','third',NULL)"),
      ("two", "UPDATE note SET text='two' WHERE id='b'"),
    ]
    for (device, sql) in edits {
      guard await place.run(device, "sql", sql).code == .success else { throw ToolError(.failure, sql) }
      guard await place.run(device, "sync").code == .success else { throw ToolError(.failure, "sync") }
    }
    guard await place.sync("one", "two", "one") == [.success, .success, .success] else {
      throw ToolError(.failure, "sync")
    }
    return place
  }
}
