/// The types of CBOR that the format uses.
package enum CBORType: Sendable, Hashable {
  /// Major type 0.
  case unsigned
  /// Major type 1.
  case negative
  /// Major type 2.
  case bytes
  /// Major type 3.
  case text
  /// Major type 4.
  case array
  /// Major type 5.
  case map
  /// Major type 7, 0xfb.
  case double
  /// 0xf6.
  case null
  /// 0xf4 and 0xf5.
  case bool

  /// The type that a first byte announces; nil for tags, half and single floats, and other simple values.
  init?(first byte: UInt8) {
    switch byte {
    case 0x00...0x1f: self = .unsigned
    case 0x20...0x3f: self = .negative
    case 0x40...0x5f: self = .bytes
    case 0x60...0x7f: self = .text
    case 0x80...0x9f: self = .array
    case 0xa0...0xbf: self = .map
    case 0xf4, 0xf5: self = .bool
    case 0xf6: self = .null
    case 0xfb: self = .double
    default: return nil
    }
  }

  /// The first byte's upper bits, for the types that carry a number.
  var major: UInt8 {
    switch self {
    case .unsigned: 0x00
    case .negative: 0x20
    case .bytes: 0x40
    case .text: 0x60
    case .array: 0x80
    case .map: 0xa0
    case .double, .null, .bool: 0xe0
    }
  }
}

/// The bounds of every CBOR body.
package enum CBORLimit {
  /// Arrays and maps nest at most this deep; one alone has depth 1.
  package static let depth = 8
}
