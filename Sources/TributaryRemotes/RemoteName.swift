package import TributaryModel

/// The name of one file on a remote. Only these exist; whatever else lies there is ignored and counted.
package enum RemoteName: Hashable, Sendable {
  /// `sync/<device>/head.bin`, the only file that is ever replaced.
  case head(DeviceID)
  /// `sync/<device>/key-<epoch>.bin`, the epoch in 10 digits.
  case key(DeviceID, epoch: UInt32)
  /// `sync/<device>/fence-<epoch>.bin`, the epoch in 10 digits.
  case fence(DeviceID, epoch: UInt32)
  /// `sync/<device>/<seq>.log`, the sequence number in 16 digits.
  case log(DeviceID, seq: UInt64)
  /// `sync/<device>/snapshot-<seq>.<part>.snap`, in 16 and 5 digits.
  case snapshot(DeviceID, seq: UInt64, part: UInt16)

  /// The folder that holds the devices' folders.
  package static let root = "sync"

  /// Sequence numbers stay below this, so that every JSON reader can hold them.
  package static let seqLimit: UInt64 = 1 << 53

  /// The device whose folder holds the file.
  package var device: DeviceID {
    switch self {
    case .head(let device), .key(let device, _), .fence(let device, _), .log(let device, _),
      .snapshot(let device, _, _):
      device
    }
  }

  /// Whether the numbers are in bounds. Names that were parsed always are.
  package var isValid: Bool {
    switch self {
    case .head, .key, .fence: true
    case .log(_, let seq), .snapshot(_, let seq, _): seq < Self.seqLimit
    }
  }

  /// Whether the file is one that its owner overwrites.
  package var isReplaceable: Bool { if case .head = self { true } else { false } }

  /// The most bytes that a file of this kind may have, sealed.
  package var sizeLimit: Int {
    switch self {
    case .head: 256 << 10
    case .key: 2 << 10
    case .fence: 64 << 10
    case .log, .snapshot: 512 << 10
    }
  }

  /// The last component, such as `0000000000000007.log`.
  package var fileName: String {
    switch self {
    case .head: "head.bin"
    case .key(_, let epoch): "key-\(padded(UInt64(epoch), 10)).bin"
    case .fence(_, let epoch): "fence-\(padded(UInt64(epoch), 10)).bin"
    case .log(_, let seq): "\(padded(seq, 16)).log"
    case .snapshot(_, let seq, let part): "snapshot-\(padded(seq, 16)).\(padded(UInt64(part), 5)).snap"
    }
  }

  /// The whole path below the remote's root.
  package var path: String { "\(Self.root)/\(device)/\(fileName)" }
}

extension RemoteName: CustomStringConvertible, Comparable {
  package var description: String { path }

  package static func < (left: RemoteName, right: RemoteName) -> Bool { left.path < right.path }
}

private func padded(_ number: UInt64, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
