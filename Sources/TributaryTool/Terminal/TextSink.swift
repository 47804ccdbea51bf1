#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Somewhere that text goes. A write that does not arrive throws: an export to a full disk must not look done.
protocol TextSink: Sendable {
  func write(_ text: String) throws
}

/// Standard output, standard error, or any other open descriptor. It buffers nothing.
struct DescriptorSink: TextSink {
  let descriptor: Int32
  /// As messages call it.
  let name: String

  static let standardOutput = DescriptorSink(descriptor: STDOUT_FILENO, name: "standard output")
  static let standardError = DescriptorSink(descriptor: STDERR_FILENO, name: "standard error")

  func write(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw ToolError(.failure, "cannot write to \(name): \(SystemError.text())")
      }
    }
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
