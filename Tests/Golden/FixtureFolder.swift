import Foundation
import TributaryCodec

/// A folder of golden files. `SUMS` lists BLAKE2b-256 of all others, as `b2sum -l 256` writes it.
struct FixtureFolder {
  static let sums = "SUMS"
  static let version1 = FixtureFolder(
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fixtures/v1"))

  let url: URL

  init(_ url: URL) { self.url = url }

  var exists: Bool { FileManager.default.fileExists(atPath: url.path) }

  func folder(_ name: String) -> FixtureFolder { FixtureFolder(url.appendingPathComponent(name)) }

  func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: url.appendingPathComponent(path)))
  }

  func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

  /// The paths of all files, sorted.
  func paths(under prefix: String = "") throws -> [String] {
    let manager = FileManager.default
    return try manager.subpathsOfDirectory(atPath: url.path).filter { path in
      var isFolder: ObjCBool = false
      return path.hasPrefix(prefix)
        && manager.fileExists(atPath: url.appendingPathComponent(path).path, isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }

  /// The list that belongs to the files as they are.
  func currentSums() throws -> String {
    try paths().filter { $0 != Self.sums }
      .map { "\(Hash.digest(try bytes($0)))  \($0)\n" }.joined()
  }

  /// Writes files and their list into a folder that must not be there.
  func write(_ files: [String: [UInt8]]) throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    for (path, bytes) in files {
      let file = url.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file, options: .withoutOverwriting)
    }
    try Data(try currentSums().utf8).write(
      to: url.appendingPathComponent(Self.sums), options: .withoutOverwriting)
  }
}
