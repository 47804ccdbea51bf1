import Foundation
import Testing

/// What the module shows to apps, as the compiler says it: `docs/API.txt` lists it, and each part is documented.
struct PublicDeclarationTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized
  private static let list = root.appending(path: "docs/API.txt")

  @Test func theListNamesEveryPublicDeclaration() throws {
    let lines = try Self.symbols().map(\.line).sorted()
    let actual = lines.joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["TRIBUTARY_WRITE_API"] != nil {
      try actual.write(to: Self.list, atomically: true, encoding: .utf8)
    }
    let listed = try String(contentsOf: Self.list, encoding: .utf8)
    let changes = lines.difference(from: listed.split(separator: "\n").map(String.init)).map { change in
      switch change {
      case .insert(_, let line, _): "+ \(line)"
      case .remove(_, let line, _): "- \(line)"
      }
    }
    #expect(changes == [], "The public API changed. If it should, run make api and say so in CHANGELOG.md.")
  }

  @Test func thereAreFewEnoughToLearn() throws {
    #expect((1...250).contains(try Self.symbols().count))
  }

  @Test func everyPublicDeclarationIsDocumented() throws {
    let bare = try Self.symbols().filter { $0.docComment == nil }.map(\.line)
    #expect(bare == [])
  }

  @Test func theArticleOnSyncingSaysWhatToDoAboutEachError() throws {
    let page = Self.root.appending(path: "Sources/Tributary/Tributary.docc/Syncing.md")
    let article = try String(contentsOf: page, encoding: .utf8)
    let codes = try Self.symbols().map(\.pathComponents).filter {
      $0.starts(with: ["SyncError", "Code"]) && $0.count == 3
    }
    #expect(codes.count > 1)
    for code in codes { #expect(article.contains("``\(code.joined(separator: "/"))`` |"), "\(code)") }
  }

  private static func symbols() throws -> [Graph.Symbol] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "symbols-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let script = Process()
    script.executableURL = root.appending(path: "scripts/symbols.sh")
    script.arguments = [folder.path, try buildFolder()]
    try script.run()
    script.waitUntilExit()
    try #require(script.terminationStatus == 0, "scripts/symbols.sh failed")
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).flatMap {
      try JSONDecoder().decode(Graph.self, from: Data(contentsOf: $0)).symbols
    }
  }

  /// The folder of this build: the test bundle lies in it, and the arguments name the bundle on every system.
  private static func buildFolder() throws -> String {
    let argument = CommandLine.arguments.first { $0.contains(".xctest") }
    var folder = URL(filePath: try #require(argument, "No argument names the test bundle"))
    while folder.path.contains(".xctest") { folder.deleteLastPathComponent() }
    return folder.path
  }
}

/// The part of a symbol graph that matters here.
private struct Graph: Decodable {
  struct Symbol: Decodable {
    struct Fragment: Decodable { var spelling: String }
    struct Comment: Decodable {}

    var pathComponents: [String]
    var declarationFragments: [Fragment]
    var docComment: Comment?

    /// The path and the declaration, in one line.
    var line: String {
      let declaration = declarationFragments.map(\.spelling).joined().split(whereSeparator: \.isWhitespace)
      return "\(pathComponents.joined(separator: "."))  \(declaration.joined(separator: " "))"
    }
  }

  var symbols: [Symbol]
}
