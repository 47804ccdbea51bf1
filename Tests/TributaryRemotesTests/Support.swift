import Glibc
import Synchronization
import TributaryModel
import TributaryRemotes

let alice = DeviceID(high: 1, low: 2)
let bob = DeviceID(high: 3, low: 4)

/// A folder that goes away with its owner.
final class Scratch: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/tributary-remotes-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemFault("mkdtemp", errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { removeTree(path) }

  /// The path of a file in a device's folder.
  func file(_ name: String, of device: DeviceID = alice) -> String { "\(path)/sync/\(device)/\(name)" }

  /// Makes a device's folder.
  func makeFolder(of device: DeviceID = alice) {
    mkdir("\(path)/sync", 0o700)
    mkdir("\(path)/sync/\(device)", 0o700)
  }

  /// The names in a device's folder.
  func names(of device: DeviceID = alice) -> [String] { entries("\(path)/sync/\(device)") }

  func write(_ name: String, _ bytes: [UInt8], of device: DeviceID = alice) {
    makeFolder(of: device)
    guard let stream = fopen(file(name, of: device), "w") else { return }
    fwrite(bytes, 1, bytes.count, stream)
    fclose(stream)
  }

  func bytes(_ name: String, of device: DeviceID = alice) -> [UInt8]? {
    guard let stream = fopen(file(name, of: device), "r") else { return nil }
    defer { fclose(stream) }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&buffer, 1, buffer.count, stream)
    return Array(buffer.prefix(count))
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

/// Time that passes only when something sleeps.
final class FakeHost: Sendable {
  private let state = Mutex((seconds: Int64(0), slept: 0, random: UInt64(0)))

  init(now: Int64 = 4_000_000_000) { state.withLock { $0.seconds = now } }

  var slept: Int { state.withLock { $0.slept } }

  var host: Host {
    Host(
      now: { self.state.withLock { $0.seconds } },
      sleep: { milliseconds in self.state.withLock { $0.slept += milliseconds } },
      random: {
        self.state.withLock {
          $0.random += 1
          return $0.random
        }
      })
  }
}
