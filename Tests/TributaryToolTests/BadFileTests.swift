import Foundation
import Testing

@testable import TributaryTool

/// What commands say of files that are no attached database. Each must stop them at once, and say what is wrong.
@Suite struct BadFileTests {
  static let commands = [["sync"], ["status"], ["export", "--canonical"], ["check"], ["sql", "SELECT 1"]]

  @Test(arguments: commands)
  func aMissingDatabase(command: [String]) async throws {
    let place = try Place()
    defer { place.remove() }
    let run = await place.run(command)
    #expect(run.code == .notAttached && run.errors.contains("there is no database at"))
    #expect(run.errors.contains("tributary join"))
    #expect(!FileManager.default.fileExists(atPath: place.database("one")))
  }

  @Test(arguments: commands)
  func aFolder(command: [String]) async throws {
    let place = try Place()
    defer { place.remove() }
    try FileManager.default.createDirectory(
      atPath: place.database("one"), withIntermediateDirectories: false)
    let run = await place.run(command)
    #expect(run.code == .failure && run.errors.contains("is a folder, not a database"))
  }

  @Test(arguments: commands)
  func anEncryptedFile(command: [String]) async throws {
    let place = try Place()
    defer { place.remove() }
    var random = SystemRandomNumberGenerator()
    try place.put((0..<8192).map { _ in UInt8.random(in: 0...255, using: &random) }, as: "one")
    let run = await place.run(command)
    #expect(run.code == .failure && run.errors.contains("is not a SQLite database, or it is encrypted"))
  }

  @Test(arguments: commands)
  func anEmptyFileAndAnotherProgramsDatabase(command: [String]) async throws {
    let place = try Place()
    defer { place.remove() }
    try place.put([], as: "one")
    #expect(await place.run(command).code == .notAttached)
    try place.bypass("one", "CREATE TABLE theirs(a)")
    let run = await place.run(command)
    #expect(run.code == .notAttached && run.errors.contains("is not attached to a remote"))
  }

  @Test(arguments: commands)
  func aDamagedDatabase(command: [String]) async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    try place.bypass("one", "PRAGMA journal_mode=DELETE")
    let whole = Array(try Data(contentsOf: URL(fileURLWithPath: place.database("one"))))
    try place.put(Array(whole.prefix(100)) + [UInt8](repeating: 0xA5, count: whole.count - 100), as: "one")
    let run = await place.run(command)
    #expect(run.code == .damage, "\(run)")
  }

  @Test func attachRefusesThemToo() async throws {
    let place = try Place()
    defer { place.remove() }
    try place.put(Array("no database, but text that is long enough".utf8), as: "one")
    let words = ["attach", place.remote, "--schema", place.schema, "--new"]
    #expect(await place.run(words).errors.contains("is not a SQLite database"))
    try FileManager.default.removeItem(atPath: place.database("one"))
    try FileManager.default.createDirectory(
      atPath: place.database("one"), withIntermediateDirectories: false)
    #expect(await place.run(words).errors.contains("is a folder"))
  }

  /// As a user who may read the database and not write it; the superuser may always write.
  @Test(.enabled(if: Unprivileged.isPossible))
  func aReadOnlyDatabase() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    #expect(await place.run("one", "sql", "INSERT INTO note VALUES('a','b',NULL)").code == .success)
    let as1 = Unprivileged(place)
    try as1.permit(folder: 0o777, file: 0o444)
    #expect(try as1.run("status").code == 0)
    #expect(try as1.run("check", "--local").code == 0)
    #expect(try as1.run("export", "--canonical").errors.contains("not merged yet"))
    for words in [["sync"], ["sql", "DELETE FROM note"]] {
      let run = try as1.run(words)
      #expect(
        run.code == 1 && run.errors.contains("one.db cannot be written\n  Check the permissions"), "\(run)")
    }
    // Nor can the files beside it be made.
    try as1.permit(folder: 0o555, file: 0o444)
    for words in [["status"], ["sync"], ["sql", "SELECT 1"], ["check"]] {
      let run = try as1.run(words)
      #expect(
        run.code == 1 && run.errors.contains("one.db cannot be opened\n  Check that you may read"), "\(run)")
    }
  }
}

extension Place {
  fileprivate func run(_ words: [String]) async -> Outcome {
    await run("one", words[0], words: Array(words.dropFirst()))
  }
}

/// The tool as a user without rights to the place, also where the tests run as the superuser.
private struct Unprivileged {
  private static let prefix =
    geteuid() == 0 ? ["/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] : []

  static var isPossible: Bool {
    guard let tool = try? BuiltTool.path() else { return false }
    let words = prefix + [tool, "--version"]
    return (try? ChildProcess.run(words[0], Array(words.dropFirst())).code) == 0
  }

  let place: Place

  init(_ place: Place) { self.place = place }

  func permit(folder: Int, file: Int) throws {
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: place.database("one") + suffix)
    }
    if geteuid() == 0 {
      let files = try FileManager.default.contentsOfDirectory(atPath: place.state("one"))
      for path in [place.state("one")] + files.map({ "\(place.state("one"))/\($0)" }) {
        chown(path, 65534, 65534)
      }
    }
    try FileManager.default.setAttributes([.posixPermissions: file], ofItemAtPath: place.database("one"))
    try FileManager.default.setAttributes([.posixPermissions: folder], ofItemAtPath: place.path)
  }

  func run(_ words: String...) throws -> ChildProcess { try run(words) }

  func run(_ words: [String]) throws -> ChildProcess {
    let all =
      Self.prefix + [try BuiltTool.path(), words[0], place.database("one")] + words.dropFirst()
    return try ChildProcess.run(
      all[0], Array(all.dropFirst()),
      environment: ["PATH=/usr/bin:/bin", "TRIBUTARY_STATE_HOME=\(place.state("one"))"])
  }
}
