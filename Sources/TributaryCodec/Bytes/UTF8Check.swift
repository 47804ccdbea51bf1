/// Whether bytes are well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
package enum UTF8Check {
  /// Whether all of `bytes` is well-formed.
  package static func isValid(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { isValid($0) }
  }

  /// Whether the part of `bytes` at `range` is well-formed.
  package static func isValid(_ bytes: [UInt8], in range: Range<Int>) -> Bool {
    bytes.withUnsafeBytes { isValid(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  /// Whether the whole buffer is well-formed.
  package static func isValid(_ buffer: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < buffer.count {
      index = skipASCII(buffer, from: index)
      guard index < buffer.count else { return true }
      guard let length = scalarLength(buffer, at: index) else { return false }
      index &+= length
    }
    return true
  }

  private static func skipASCII(_ buffer: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index &+ 8 <= buffer.count {
      let word = buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { break }
      index &+= 8
    }
    while index < buffer.count, buffer[index] < 0x80 { index &+= 1 }
    return index
  }

  /// The length of the scalar at `index`, which is not ASCII; nil if it is malformed.
  private static func scalarLength(_ buffer: UnsafeRawBufferPointer, at index: Int) -> Int? {
    let first = buffer[index]
    let length: Int
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF: length = 3
    case 0xF0...0xF4: length = 4
    default: return nil
    }
    guard index &+ length <= buffer.count, secondBytes(after: first).contains(buffer[index &+ 1]) else {
      return nil
    }
    for offset in 2..<max(length, 2) where buffer[index &+ offset] & 0xC0 != 0x80 { return nil }
    return length
  }

  /// Unicode's table 3-7: where the second byte alone tells overlong forms and surrogates.
  private static func secondBytes(after first: UInt8) -> ClosedRange<UInt8> {
    switch first {
    case 0xE0: 0xA0...0xBF
    case 0xED: 0x80...0x9F
    case 0xF0: 0x90...0xBF
    case 0xF4: 0x80...0x8F
    default: 0x80...0xBF
    }
  }
}
