extension UnsafeRawBufferPointer {
  /// The address as C's `const unsigned char *`; nil for an empty buffer without one.
  var bytePointer: UnsafePointer<UInt8>? { assumingMemoryBound(to: UInt8.self).baseAddress }
}

extension UnsafeMutableRawBufferPointer {
  /// The address as C's `unsigned char *`; nil for an empty buffer without one.
  var bytePointer: UnsafeMutablePointer<UInt8>? { assumingMemoryBound(to: UInt8.self).baseAddress }
}
