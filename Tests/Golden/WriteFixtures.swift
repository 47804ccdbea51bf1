import Foundation
import Testing

private let target: String? = ProcessInfo.processInfo.environment["TRIBUTARY_WRITE_FIXTURES"]

/// Writes the fixtures into the empty folder that TRIBUTARY_WRITE_FIXTURES names, once for each version of a format.
@Suite struct WriteFixtures {
  @Test(.enabled(if: target != nil)) func writesThemOnce() throws {
    let root = FixtureFolder(URL(fileURLWithPath: try #require(target)))
    let content = try FileManager.default.contentsOfDirectory(atPath: root.url.path)
    try #require(content.isEmpty, "\(root.url.path) is not empty. Golden files are never regenerated.")
    try root.folder("wire").write(try WireFixture.make())
    try root.folder("local").write(try LocalFixture.make())
    try root.folder("fleet").write(try FleetFixture.make())
  }
}
