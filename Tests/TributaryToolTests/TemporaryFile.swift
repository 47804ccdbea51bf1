import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs the body with a file that is gone afterwards.
func withTemporaryFile(_ text: String, mode: mode_t = 0o600, _ body: (String) throws -> Void) throws {
  try withTemporaryFile(bytes: Array(text.utf8), mode: mode, body)
}

/// Runs the body with a file that is gone afterwards.
func withTemporaryFile(bytes: [UInt8], mode: mode_t = 0o600, _ body: (String) throws -> Void) throws {
  var template = Array("/tmp/tributary-tool-XXXXXX".utf8CString)
  let descriptor = mkstemp(&template)
  try #require(descriptor >= 0)
  let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  defer { unlink(path) }
  let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  try #require(written == bytes.count && fchmod(descriptor, mode) == 0 && close(descriptor) == 0)
  try body(path)
}
