import Foundation
import Testing

@testable import TributaryTool

/// `detach`, and what can be done after it.
@Suite struct DetachCommandTests {
  @Test func detachingKeepsTheDataAndForgetsTheKeys() async throws {
    let place = try await Place.conflicting()
    defer { place.remove() }
    let files = try place.files("")
    let detach = await place.run("one", "detach")
    #expect(detach.code == .success && detach.errors == "")
    #expect(detach.output.contains("Everything that was written here had been sent."))
    #expect(try place.files("") == files)
    let secrets = try FileManager.default.contentsOfDirectory(atPath: place.state("one"))
    #expect(secrets.allSatisfy { $0.hasSuffix(".lock") }, "\(secrets)")
    for command in ["status", "sync", "detach", "trash"] {
      let run = await place.run("one", command)
      #expect(run.code == .notAttached && run.errors.contains("is not attached to a remote"), "\(run)")
    }
    #expect(await place.run("two", "status").code == .success)
  }

  @Test func whatWasNotSentIsSentAfterTheNextAttachThereOrElsewhere() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    try await place.sql("one", "INSERT INTO note VALUES('a','sent',NULL)")
    try await place.synced("one", "two")
    try await place.sql("one", "INSERT INTO note VALUES('b','unsent',NULL)")
    #expect(await place.run("one", "detach").output.contains("What was not sent yet is kept"))
    try await place.attach("one")
    try await place.synced("one", "two")
    #expect(await place.run("two", "sql", "SELECT id FROM note").output == "a\nb\n")
    #expect(await place.run("one", "check").code == .success)
    // Elsewhere it brings all that it has; what its ids before the last one wrote once somebody has missed it.
    #expect(await place.run("one", "detach").code == .success)
    let other = try Place()
    defer { other.remove() }
    let attach = await place.run("one", "attach", other.remote, "--schema", place.schema, "--new")
    #expect(attach.code == .success, "\(attach)")
    #expect(await other.run("three", "attach", other.remote, "--schema", other.schema).code == .success)
    for _ in 0..<2 {
      try await place.synced("one")
      try await other.synced("three")
    }
    #expect(await other.run("three", "sql", "SELECT id FROM note ORDER BY id").output == "a\nb\n")
  }

  @Test func aDatabaseWithoutKeysCanBeDetachedToo() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    try FileManager.default.removeItem(atPath: place.state("one"))
    #expect(await place.run("one", "detach").code == .success)
    #expect(await place.run("one", "status").code == .notAttached)
  }
}
