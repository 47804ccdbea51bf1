import Glibc

@testable import TributaryCustody

/// A state directory that goes away with its owner.
final class Scratch: Sendable {
  let root: String
  var directory: StateDirectory { StateDirectory(path: "\(root)/state") }

  init() throws {
    var template = Array("/tmp/tributary-custody-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemFault("mkdtemp", errno) }
    root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { removeTree(root) }

  func path(_ name: String) -> String { "\(directory.path)/\(name)" }

  var names: [String] { entries(directory.path) }

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

func entries(_ path: String) -> [String] {
  guard let listing = opendir(path) else { return [] }
  defer { closedir(listing) }
  var names: [String] = []
  while let entry = readdir(listing) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}

private func removeTree(_ path: String) {
  for name in entries(path) {
    let inner = "\(path)/\(name)"
    if unlink(inner) != 0 { removeTree(inner) }
  }
  rmdir(path)
}
