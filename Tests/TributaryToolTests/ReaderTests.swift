import Foundation
import Testing

@testable import TributaryTool

/// The reader in `Tests/Reader`, which was written from `docs/FORMAT.md` without a look at this code, reads what the tool
/// wrote, and comes to the same records.
@Suite(.enabled(if: OtherProgram.arePresent, "needs sqlite3 and python3"))
struct ReaderTests {
  @Test func aReaderOfTheDocumentAloneReadsWhatTheToolWrote() async throws {
    let place = try await Place.attached("one", "two")
    defer { place.remove() }
    func sql(_ device: String, _ statement: String) async throws {
      let run = await place.run(device, "sql", statement)
      try #require(run.code == .success, "\(run)")
    }
    let large = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<300)"
    try await sql("one", "\(large) INSERT INTO note SELECT 'k'||i, printf('%d %.200c', i, 'x'), NULL FROM n")
    _ = await place.sync("one", "two")
    try await sql("one", "UPDATE note SET text=hex(randomblob(150000)) WHERE id='k1'")
    try await sql("one", "UPDATE note SET text='of one', code='c' WHERE id='k2'")
    try await sql("two", "UPDATE note SET text='of two' WHERE id='k2'")
    try await sql("two", "UPDATE note SET code='c' WHERE id='k3'")
    try await sql("two", "DELETE FROM note WHERE id IN ('k4','k5')")
    _ = await place.sync("one", "two", "one")
    // So many logs end in a snapshot.
    for count in 1...64 {
      try await sql(
        "two",
        "INSERT INTO note VALUES('k5','anew \(count)','🪶') ON CONFLICT DO UPDATE SET text=excluded.text")
      _ = await place.sync("two")
    }
    #expect(try !place.files(".snap").isEmpty)
    try await sql("one", "INSERT INTO note VALUES('é','later',NULL)")
    try await place.attach("three")
    try await sql("three", "UPDATE note SET text='of three' WHERE id='k6'")
    _ = await place.sync("two", "three", "one", "two", "three")

    let files = try read(place, "--json").filter { $0["path"] != nil }
    #expect(Set(files.compactMap { $0["path"] as? String }) == Set(try allFiles(place)))
    let export = await place.run("three", "export", "--canonical")
    let ours = try lines(export.output).map { Record($0["table"], $0["key"], $0["visible"], $0["fields"]) }
    let theirs = try read(place, "--state").map { line in
      let name = line["record"] as? [String: Any]
      let fields = (line["fields"] as? [[String: Any]] ?? []).map {
        ($0["name"] as? String ?? "", $0["value"] ?? NSNull())
      }
      return Record(
        name?["type"], name?["key"], line["visible"],
        Dictionary(uniqueKeysWithValues: fields))
    }
    #expect(ours.count == 301)
    #expect(Set(ours).symmetricDifference(theirs).map(\.text) == [])
  }

  private struct Record: Hashable {
    let text: String
    init(_ parts: Any?...) { text = parts.map { Self.text($0) }.joined(separator: " ") }

    private static func text(_ value: Any?) -> String {
      switch value {
      // What is long is told by its length and its hash.
      case let text as String where text.utf8.count > 512: "\(text.utf8.count) bytes"
      case let map as [String: Any] where map.count == 1 && map["text"] != nil: text(map["text"])
      case let map as [String: Any] where map["blake2b"] != nil: "\(map["length"] ?? "") bytes"
      case let map as [String: Any]:
        "{" + map.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" }.joined(separator: ", ")
          + "}"
      case let list as [Any]: "[" + list.map { text($0) }.joined(separator: ", ") + "]"
      case let value?: "\(value)"
      case nil: ""
      }
    }
  }

  private func read(_ place: Place, _ mode: String) throws -> [[String: Any]] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let run = try ChildProcess.run(
      OtherProgram.python, [root.path + "/Reader/read.py", place.remote, mode],
      environment: ["PATH=/usr/bin:/bin", "TRIBUTARY_PASSWORD=correct horse", "PYTHONDONTWRITEBYTECODE=1"])
    try #require(run.code == 0 && run.errors.isEmpty, "\(run.code ?? -1) \(run.errors)")
    return try lines(run.output)
  }

  private func lines(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  private func allFiles(_ place: Place) throws -> [String] {
    try ["log", "snap", "bin"].flatMap { try place.files(".\($0)") }
  }
}
