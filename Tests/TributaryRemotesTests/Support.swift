import Glibc
import Synchronization
import TestSupport
import TributaryModel
import TributaryRemotes

let alice = DeviceID(high: 1, low: 2)
let bob = DeviceID(high: 3, low: 4)

/// A folder that goes away with its owner.
final class Scratch: Sendable {
  private let folder: TemporaryFolder
  var path: String { folder.path }

  init() throws { folder = try TemporaryFolder() }

  /// The path of a file in a device's folder.
  func file(_ name: String, of device: DeviceID = alice) -> String { "\(path)/sync/\(device)/\(name)" }

  /// Makes a device's folder.
  func makeFolder(of device: DeviceID = alice) {
    mkdir("\(path)/sync", 0o700)
    mkdir("\(path)/sync/\(device)", 0o700)
  }

  /// The names in a device's folder.
  func names(of device: DeviceID = alice) -> [String] { TemporaryFolder.names(in: "\(path)/sync/\(device)") }

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
