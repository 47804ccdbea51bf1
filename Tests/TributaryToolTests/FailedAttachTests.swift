import Foundation
import Testing

@testable import TributaryTool

/// An attach that cannot be says what to do, and leaves nothing behind.
@Suite struct FailedAttachTests {
  @Test(arguments: [[], ["--new"]])
  func aMissingFolderIsNotMade(options: [String]) async throws {
    let place = try Place()
    defer { place.remove() }
    let missing = place.path + "/missing"
    let run = await place.run("one", "attach", words: [missing, "--schema", place.schema] + options)
    #expect(run.code == .remoteUnavailable && run.errors.contains("there is no folder \(missing)"))
    #expect(run.errors.contains("create it first"))
    #expect(try place.names() == ["remote", "schema.json"])
  }

  @Test(arguments: ["s3://bucket/x", "https://example.org/dav", "gist:notes", "me@host:folder", "ftp:x"])
  func onlyFoldersWork(remote: String) async throws {
    let place = try Place()
    defer { place.remove() }
    let run = await place.run("one", "attach", remote, "--schema", place.schema, "--new")
    #expect(run.code == .usage && run.errors.contains("only folders work as remotes in this version"))
    #expect(try place.names() == ["remote", "schema.json"])
  }

  @Test func aFolderWithAColonInItsNameIsAFolder() async throws {
    let place = try Place()
    defer { place.remove() }
    let folder = place.path + "/a:b"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    #expect(await place.run("one", "attach", folder, "--schema", place.schema, "--new").code == .success)
  }

  @Test func noDatabaseIsLeftBehind() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    let words = [place.remote, "--schema", place.schema]
    let before = try place.names()
    let attempts: [(String, [String], ExitCode)] = [
      ("another one", words, .wrongPassword), ("short", words, .usage), ("", words, .usage),
      ("correct horse", words + ["--new"], .failure),
      ("correct horse", [place.path + "/no", "--schema", place.schema], .remoteUnavailable),
    ]
    for (password, words, code) in attempts {
      let run = await place.run("two", "attach", words: words, password: password)
      #expect(run.code == code, "\(run)")
      #expect(
        try place.names().filter { !$0.hasSuffix("-state") } == before.filter { !$0.hasSuffix("-state") })
    }
    let stopped = await place.run("two", "attach", words: words, isInterrupted: true)
    #expect(stopped.code == .interrupted)
    #expect(!FileManager.default.fileExists(atPath: place.database("two")))
    let kept = try FileManager.default.contentsOfDirectory(atPath: place.state("two"))
    #expect(kept.allSatisfy { $0.hasSuffix(".lock") }, "\(kept)")
    try await place.attach("two")
  }

  @Test func aDatabaseThatWasThereStays() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    try place.bypass("two", "CREATE TABLE theirs(a)")
    let run = await place.run(
      "two", "attach", place.remote, "--schema", place.schema, password: "another one")
    #expect(run.code == .wrongPassword)
    #expect(FileManager.default.fileExists(atPath: place.database("two")))
  }
}

extension Place {
  /// What lies in the place's folder.
  fileprivate func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}
