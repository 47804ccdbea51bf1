import Foundation

@testable import TributaryTool

extension Place {
  /// A name and a value that would turn the terminal red, ring, and turn the text around.
  static let hostile = "\u{1B}[31mred\u{7}\u{202E}"

  /// A sync of each device, all of which must go well, with or without something held.
  func synced(_ devices: String...) async throws {
    for device in devices {
      let run = await run(device, "sync")
      guard run.code == .success || run.code == .held else { throw ToolError(run.code, run.errors) }
    }
  }

  func sql(_ device: String, _ sql: String) async throws {
    let run = await run(device, "sql", sql)
    guard run.code == .success else { throw ToolError(run.code, run.errors) }
  }

  /// The objects that a command writes with `--json`.
  func json(_ device: String, _ command: String, _ words: String...) async throws -> [[String: Any]] {
    let run = await run(device, command, words: words + ["--json"])
    return try run.output.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      guard let object = object as? [String: Any] else { throw ToolError(.failure, "\(line)") }
      return object
    }
  }

  /// Two devices, the second with a hostile name, that have read a record of each other, and edited one text apart.
  /// The second one's edit is the later one, and it wins.
  static func conflicting() async throws -> Place {
    let place = try Place()
    try await place.attach("one", isFirst: true)
    let run = await place.run(
      "two", "attach", place.remote, "--schema", place.schema, "--device", "two\(hostile)")
    guard run.code == .success else { throw ToolError(run.code, run.errors) }
    try await place.sql("one", "INSERT INTO note VALUES('a','first',NULL),('b','other','c')")
    try await place.synced("one", "two")
    try await place.sql("one", "UPDATE note SET text='from one' WHERE id='a'")
    try await place.sql("two", "UPDATE note SET text='\(hostile)' WHERE id='a'")
    try await place.synced("one", "two", "one")
    return place
  }

  /// Whether nothing in the text could steer a terminal.
  static func isClean(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar == "\n" || (scalar.properties.generalCategory != .control && scalar != "\u{202E}")
    }
  }

  func schema(_ tables: String) throws {
    let text = "{\"name\": \"org.example.typed\", \"tables\": [\(tables)]}"
    try Data(text.utf8).write(to: URL(fileURLWithPath: schema))
  }
}
