/// What a sealed file holds, and how large it may be.
package enum ContainerKind: UInt8, Sendable, Hashable, CaseIterable {
  /// What a device has written and read.
  case head = 1
  /// Entries.
  case log = 2
  /// A part of the merged state.
  case snapshot = 3
  /// A password change.
  case fence = 4

  /// The most bytes of a sealed file.
  package var sealedLimit: Int {
    switch self {
    case .head: 256 << 10
    case .fence: 64 << 10
    case .log, .snapshot: 512 << 10
    }
  }

  /// The most bytes of its body before compression.
  package var plainLimit: Int {
    switch self {
    case .head: 256 << 10
    case .fence: 64 << 10
    case .log, .snapshot: 8 << 20
    }
  }
}
