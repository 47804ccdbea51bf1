import Glibc
import TestSupport

@testable import TributaryCustody

/// A state directory that goes away with its owner.
final class Scratch: Sendable {
  private let folder: TemporaryFolder
  var root: String { folder.path }
  var directory: StateDirectory { StateDirectory(path: "\(root)/state") }

  init() throws { folder = try TemporaryFolder() }

  func path(_ name: String) -> String { "\(directory.path)/\(name)" }

  var names: [String] { TemporaryFolder.names(in: directory.path) }

  /// The permission bits of a path.
  func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  func bytes(_ name: String) -> [UInt8] {
    guard let stream = fopen(path(name), "r") else { return [] }
    defer { fclose(stream) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&buffer, 1, buffer.count, stream)
    return Array(buffer.prefix(count))
  }

  func write(_ name: String, _ bytes: [UInt8]) {
    guard let stream = fopen(path(name), "w") else { return }
    fwrite(bytes, 1, bytes.count, stream)
    fclose(stream)
  }
}
