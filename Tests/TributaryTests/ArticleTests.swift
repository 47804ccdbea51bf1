import Foundation
import Testing

/// The articles of the documentation show only code that the tests compile and run: each Swift block of `Name.md` is a
/// region of `ArticleCode/Name.swift`, from a line `// article` to a line `// end`, in the same order.
struct ArticleTests {
  private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
  private static let catalog = tests.appending(path: "../../Sources/Tributary/Tributary.docc").standardized
  static let articles = ((try? FileManager.default.contentsOfDirectory(atPath: catalog.path)) ?? [])
    .filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }.sorted()

  @Test func theCatalogueIsWhereItIsLookedFor() {
    #expect(Self.articles.contains("Tributary") && Self.articles.contains("GettingStarted"))
  }

  @Test(arguments: articles)
  func everySwiftBlockIsCompiledAndRun(article: String) throws {
    let page = try String(contentsOf: Self.catalog.appending(path: "\(article).md"), encoding: .utf8)
    let blocks = Self.blocks(of: page)
    let code = Self.tests.appending(path: "ArticleCode/\(article).swift")
    let regions =
      FileManager.default.fileExists(atPath: code.path)
      ? Self.regions(of: try String(contentsOf: code, encoding: .utf8)) : []
    #expect(
      blocks.count == regions.count, "\(article).md has \(blocks.count) blocks; regions: \(regions.count)")
    for (block, region) in zip(blocks, regions) {
      #expect(block == region, "A block of \(article).md is not the region of \(article).swift")
    }
  }

  @Test(arguments: articles.filter { $0 != "Tributary" })
  func everyArticleOpensWithItsRuleInOneLine(article: String) throws {
    let page = try String(contentsOf: Self.catalog.appending(path: "\(article).md"), encoding: .utf8)
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    try #require(lines.count > 4)
    #expect(lines[0].hasPrefix("# ") && lines[1].isEmpty && lines[3].isEmpty)
    #expect(lines[2].hasSuffix(".") && lines[2].utf8.count <= 160)
  }

  @Test func aRegionLosesTheIndentationOfItsPlace() {
    let source = "struct S {\n    // article\n    if a {\n\n      b\n    }\n    // end\n    c\n}\n"
    #expect(Self.regions(of: source) == ["if a {\n\n  b\n}\n"])
    #expect(Self.blocks(of: "a\n```swift\nb\n```\n```text\nc\n```\n```swift\n```\n") == ["b\n", ""])
  }

  private static func blocks(of page: String) -> [String] { pieces(of: page, from: "```swift", to: "```") }

  private static func regions(of source: String) -> [String] {
    pieces(of: source, from: "// article", to: "// end")
  }

  /// The lines between an opening and a closing line, without the indentation of the opening one.
  private static func pieces(of text: String, from opening: String, to closing: String) -> [String] {
    var found: [String] = []
    var piece: (text: String, indentation: Int)?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let trimmed = line.drop { $0 == " " }
      if let (text, indentation) = piece {
        if trimmed == closing {
          found.append(text)
          piece = nil
        } else {
          piece = (text + line.dropFirst(min(indentation, line.count - trimmed.count)) + "\n", indentation)
        }
      } else if trimmed == opening {
        piece = ("", line.count - trimmed.count)
      }
    }
    return found
  }
}
