import Foundation
import Testing

@Suite struct GoldenFiles {
  /// What each later build must read is what is here, so nothing here may change.
  @Test func goldenFilesAreNeverChanged() throws {
    let root = FixtureFolder.version1
    let names = try FileManager.default.contentsOfDirectory(atPath: root.url.path).sorted()
    #expect(names.filter { $0 != "fleet" } == ["README.md", "local", "wire"])
    for name in names where name != "README.md" {
      let folder = root.folder(name)
      #expect(
        try folder.currentSums() == (try folder.text(FixtureFolder.sums)),
        """
        A golden file in \(name) was changed, added or removed. Golden files are never regenerated: put the old ones \
        back. A change that they do not survive is a new version of the format, with a reader for this one.
        """)
    }
  }

  @Test func aChangedAMissingAndAnAddedFileAreNoticed() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("golden-\(UUID())")
    defer { try? FileManager.default.removeItem(at: url) }
    let folder = FixtureFolder(url)
    try folder.write(["a": [1], "b/c": [2]])
    let sums = try folder.text(FixtureFolder.sums)
    #expect(try folder.currentSums() == sums)
    try Data([3]).write(to: url.appendingPathComponent("a"))
    #expect(try folder.currentSums() != sums)
    try Data([1]).write(to: url.appendingPathComponent("a"))
    try Data().write(to: url.appendingPathComponent("d"))
    #expect(try folder.currentSums() != sums)
    try FileManager.default.removeItem(at: url.appendingPathComponent("d"))
    try FileManager.default.removeItem(at: url.appendingPathComponent("b/c"))
    #expect(try folder.currentSums() != sums)
    #expect(throws: (any Error).self) { try folder.write(["a": [1]]) }
  }
}
