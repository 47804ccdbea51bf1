import Foundation
import Testing
import TributaryRemotes

@testable import TributaryTool

/// Each documented exit code, by the tool as it was built.
@Suite struct ExitCodeTests {
  @Test func zeroForASyncAndOneForAFailure() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    #expect(try place.tool("one", "sync").code == 0)
    let run = try place.tool("one", "sql", "SELECT nonsense")
    #expect(run.code == 1 && run.errors.contains("no such column"))
  }

  @Test func twoForAWrongCommandLine() throws {
    let place = try Place()
    defer { place.remove() }
    #expect(try place.tool("one", "sync", "--jsno").code == 2)
    #expect(
      try place.tool("one", "attach", place.remote, "--schema", place.schema, "--new", password: "short").code
        == 2)
  }

  @Test func threeWithoutAnAttachedDatabase() throws {
    let place = try Place()
    defer { place.remove() }
    #expect(try place.tool("one", "status").code == 3)
  }

  @Test func fourForAWrongPassword() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    let run = try place.tool("two", "attach", place.remote, "--schema", place.schema, password: "another one")
    #expect(run.code == 4)
    #expect(!run.errors.contains("another one"))
  }

  @Test func fiveForARemoteThatIsAwayAndEditsWait() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    try place.move(place.remote, to: place.path + "/away")
    #expect(try place.tool("one", "sql", "INSERT INTO note VALUES('a','first',NULL)").code == 0)
    let run = try place.tool("one", "sync")
    #expect(run.code == 5 && run.errors.contains(place.remote))
    try place.move(place.path + "/away", to: place.remote)
    #expect(try place.tool("one", "sync").code == 0)
    #expect(try place.tool("two", "sync").code == 0)
    #expect(try place.tool("two", "sql", "SELECT text FROM note").output == "first\n")
  }

  @Test func aFullRemoteAndOthersMapToTheirCodes() {
    let codes: [(RemoteError.Code, ExitCode)] = [
      (.quota, .remoteFull), (.retryable, .remoteUnavailable), (.rateLimited, .remoteUnavailable),
      (.notThere, .remoteUnavailable), (.forbidden, .failure), (.permanent, .failure),
    ]
    for (code, exit) in codes { #expect(ToolError(explaining: RemoteError(code, "it")).exitCode == exit) }
  }

  /// On a file system of its own, in a name space that ends with the shell.
  @Test(.enabled(if: canMount))
  func sixForARemoteThatIsFullAndEditsWait() throws {
    let place = try Place()
    defer { place.remove() }
    let script = """
      set -e
      mount -t tmpfs -o size=256k tributary-test "$2"
      "$0" attach "$1" "$2" --schema "$3" --new >&2
      "$0" sync "$1" >&2
      "$0" sql "$1" "INSERT INTO note VALUES('a',hex(randomblob(9000)),NULL)"
      dd if=/dev/zero of="$2/filler" bs=1k 2>/dev/null || true
      code=0; "$0" sync "$1" || code=$?
      echo "full: $code"
      rm "$2/filler"
      "$0" sync "$1" >&2
      find "$2" -name '*.log' | wc -l
      """
    let quoted = script.replacingOccurrences(of: "'", with: "'\\''")
    let run = try place.shell("exec unshare -rm /bin/sh -c '\(quoted)' \"$0\" \"$1\" \"$2\" \"$3\"", "one")
    #expect(run.code == 0 && run.output == "full: 6\n1\n", "\(run)")
  }

  @Test func sevenForWhatIsParkedOrNotReadToItsEnd() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    #expect(try place.tool("one", "sql", "INSERT INTO note VALUES('a','first','c')").code == 0)
    #expect(try place.tool("one", "sync").code == 0)
    #expect(try place.tool("two", "sync").code == 0)
    #expect(try place.tool("one", "sql", "UPDATE note SET text='again'").code == 0)
    #expect(try place.tool("one", "sync").code == 0)
    try place.delete(try #require(place.files("2.log").first))
    let run = try place.tool("two", "sync")
    #expect(
      run.code == 7 && run.output.contains(" (one) was not read to its end: its log 2 of 2 is not there yet"))
  }

  @Test func sevenForAParkedRecordAndStatusCountsIt() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    let schema = place.path + "/strict.json"
    let text = """
      {"name": "org.example.strict", "tables": [{"name": "tag", "key": ["id"], "columns": [
        {"name": "id", "type": "text"}, {"name": "name", "type": "text", "unique": true}]}]}
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: schema))
    let remote = place.path + "/strict"
    try FileManager.default.createDirectory(atPath: remote, withIntermediateDirectories: false)
    #expect(try place.tool("a", "attach", remote, "--schema", schema, "--new").code == 0)
    #expect(try place.tool("b", "attach", remote, "--schema", schema).code == 0)
    for device in ["a", "b"] {
      #expect(try place.tool(device, "sql", "INSERT INTO tag VALUES('\(device)','same')").code == 0)
    }
    #expect(try place.tool("a", "sync").code == 0)
    let run = try place.tool("b", "sync")
    #expect(run.code == 7 && run.output.contains("1 parked by a constraint"))
    #expect(run.output.contains("\n  `tributary status` says which, and why.\n"))
    let status = try place.tool("b", "status")
    #expect(status.code == 7 && status.output.contains("Parked by a constraint: 1."))
    #expect(
      status.output.contains("\n  parked: tag “a”: name must be unique, and tag “b” has the same\n"),
      "\(status)")
    let json = try place.tool("b", "status", "--json").output
    #expect(
      json.contains(#""parkedRecords":[{"table":"tag","key":["a"],"columns":[],"reason":"name must be"#))
    #expect(try place.tool("b", "check").code == 0)
  }

  @Test func eightForDamage() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    #expect(try place.tool("one", "sync").code == 0)
    let head = try #require(place.files("head.bin").first)
    try place.put([UInt8](repeating: 1, count: 1024), at: head)
    let run = try place.tool("one", "check")
    #expect(run.code == 8 && run.output.contains(head))
  }

  static var canMount: Bool {
    (try? ChildProcess.run("/usr/bin/unshare", ["-rm", "/bin/sh", "-c", "mount -t tmpfs x /mnt"]).code) == 0
  }
}
