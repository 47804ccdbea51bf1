import Foundation
import Testing

/// The page of guarantees names tests; a name that no test has would promise nothing.
struct GuaranteeTests {
  @Test func everyTestThatThePageNamesExists() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appendingPathComponent("docs/GUARANTEES.md"), encoding: .utf8)
    let sources = try swiftFiles(root.appendingPathComponent("Tests"))
    let names = page.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
      .filter { $0.count > 12 && $0.allSatisfy { $0.isLetter || $0.isNumber } }
    #expect(names.count > 100)
    let unknown = names.filter { name in
      !["func \(name)(", "struct \(name) ", "struct \(name):", "class \(name) "].contains {
        sources.contains($0)
      }
        && !FileManager.default.fileExists(atPath: root.appendingPathComponent("Tests/\(name)").path)
    }
    #expect(unknown == [])
  }

  private func swiftFiles(_ folder: URL) throws -> String {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
      .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }.joined()
  }
}
