internal import CUTF8Proc

/// Passwords: one rule for what they are, so that every platform and keyboard gives the same key.
///
/// A password is normalized to NFKC, and its UTF-8 is what is hashed. Nothing is trimmed but, from a file, one
/// newline at the end. Refused: invalid UTF-8, code points that Unicode has not assigned (a later version may
/// normalize them otherwise), controls, fewer than 8 scalars once normalized, more than 1,024 bytes.
package enum Password {
  /// Where a password came from.
  package enum Source: Sendable, Hashable {
    /// Typed or handed over by an app: taken as it is.
    case typed
    /// Read from a file or descriptor: one newline (LF or CR LF) at the end does not count.
    case file
  }

  /// The fewest scalars of a normalized password.
  package static let fewestScalars = 8
  /// The most bytes of a password as given.
  package static let mostBytes = 1024

  /// The version of Unicode that normalizes here. It decides only which code points are assigned: what an
  /// assigned one normalizes to never changes.
  package static var unicodeVersion: String { String(cString: utf8proc_unicode_version()) }

  /// The normalized password.
  package static func normalize(_ bytes: [UInt8], from source: Source = .typed) throws -> Secret {
    let length = source == .file ? lengthWithoutNewline(bytes) : bytes.count
    guard length <= mostBytes else {
      throw CodecError(.password, "The password has \(length) bytes; at most \(mostBytes) are allowed.")
    }
    var normalizedLength = 0
    // The code points, then their UTF-8 in the same place with a NUL: utf8proc writes no other copy.
    let scratch = try Secret(count: try decomposedLength(bytes, length) * 4 + 8) { buffer in
      normalizedLength = try normalize(bytes, length, in: buffer.bindMemory(to: Int32.self))
    }
    return try scratch.withBytes { buffer in
      let text = UnsafeRawBufferPointer(rebasing: buffer[..<normalizedLength])
      try checkLength(text)
      return try Secret(copying: text)
    }
  }

  /// The normalized password of a string, taken as it is.
  package static func normalize(_ text: String) throws -> Secret { try normalize(Array(text.utf8)) }

  private static func lengthWithoutNewline(_ bytes: [UInt8]) -> Int {
    guard bytes.last == UInt8(ascii: "\n") else { return bytes.count }
    let isWindows = bytes.dropLast().last == UInt8(ascii: "\r")
    return bytes.count - (isWindows ? 2 : 1)
  }

  private static var options: utf8proc_option_t {
    utf8proc_option_t(
      UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue | UTF8PROC_COMPAT.rawValue
        | UTF8PROC_REJECTNA.rawValue)
  }

  private static func decomposedLength(_ bytes: [UInt8], _ length: Int) throws -> Int {
    Int(try check(utf8proc_decompose(bytes, length, nil, 0, options)))
  }

  private static func normalize(
    _ bytes: [UInt8], _ length: Int, in scratch: UnsafeMutableBufferPointer<Int32>
  ) throws -> Int {
    let count = try check(utf8proc_decompose(bytes, length, scratch.baseAddress, scratch.count - 1, options))
    guard count < scratch.count else {
      throw CodecError(.password, "The password could not be normalized. Report this.")
    }
    // Controls survive normalization, and nothing else becomes one.
    for point in scratch[..<count] where utf8proc_category(point) == UTF8PROC_CATEGORY_CC {
      throw CodecError(
        .password, "The password holds a control character. Type it again without tabs and newlines.")
    }
    return try check(utf8proc_reencode(scratch.baseAddress, count, options))
  }

  private static func checkLength(_ text: UnsafeRawBufferPointer) throws {
    var scalars = 0
    for byte in text where byte & 0xC0 != 0x80 { scalars += 1 }
    guard scalars >= fewestScalars else {
      throw CodecError(.password, "The password is too short. Use at least \(fewestScalars) characters.")
    }
  }

  private static func check(_ result: utf8proc_ssize_t) throws -> Int {
    if result >= 0 { return result }
    switch result {
    case -3: throw CodecError(.password, "The password is not UTF-8. Save the file as UTF-8 or type it.")
    case -4:
      throw CodecError(
        .password, "The password holds a character that Unicode \(unicodeVersion) lacks. Choose another.")
    default: throw CodecError(.memory, "The password could not be normalized (utf8proc \(result)).")
    }
  }
}
