/// Comparison of bytes, eight at a time.
package enum ByteOrder {
  /// Number of leading bytes that both have in common.
  @inlinable @inline(__always)
  package static func commonPrefix(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let count = min(left.count, right.count)
    var index = 0
    while index &+ 8 <= count {
      let difference =
        left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        ^ right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if difference != 0 { return index &+ UInt64(littleEndian: difference).trailingZeroBitCount >> 3 }
      index &+= 8
    }
    while index < count, left[index] == right[index] { index &+= 1 }
    return index
  }

  /// Less than, equal to or greater than zero, as the left comes before, with or after the right.
  @inlinable @inline(__always)
  package static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let shared = commonPrefix(left, right)
    if shared == left.count || shared == right.count { return left.count &- right.count }
    return left[shared] < right[shared] ? -1 : 1
  }

  /// The same of arrays.
  @inlinable @inline(__always)
  package static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
    left.withUnsafeBytes { left in right.withUnsafeBytes { compare(left, $0) } }
  }
}
