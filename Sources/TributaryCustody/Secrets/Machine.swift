import CSodium

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What a secrets file is bound to, so that one that was copied or restored elsewhere is noticed.
package struct Machine: Hashable, Sendable {
  /// 32 bytes, or empty where the machine has no name of its own.
  package let mark: [UInt8]

  /// Any bytes that name the machine; nil if there are none. They are hashed, as systemd asks of the machine id.
  package init(id: [UInt8]?) { mark = id.map { Checksum.of(Array("tributary machine".utf8) + $0) } ?? [] }

  /// This machine, by `/etc/machine-id`. Reads the file.
  package static func current() -> Machine {
    guard let stream = fopen("/etc/machine-id", "re") else { return Machine(id: nil) }
    defer { fclose(stream) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = fread(&bytes, 1, bytes.count, stream)
    return Machine(id: count >= 32 ? Array(bytes.prefix(count)) : nil)
  }
}

/// BLAKE2b-256.
enum Checksum {
  static let size = 32

  static func of(_ bytes: [UInt8]) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: size)
    crypto_generichash(&hash, hash.count, bytes, UInt64(bytes.count), nil, 0)
    return hash
  }
}
