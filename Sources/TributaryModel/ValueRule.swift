/// What a column takes. The engine keeps it for local writes and for what peers send, so it can be relaxed
/// in a later build without rebuilding the table.
package struct ValueRule: Hashable, Sendable {
  /// The kind of value, or any.
  package enum Kind: String, Hashable, Sendable, Codable {
    /// Unicode text.
    case text
    /// A whole number of 64 bits.
    case integer
    /// A number, whole or not.
    case real
    /// Bytes.
    case blob
    /// A value of any kind.
    case any
  }

  /// The kind of value that is taken.
  package var kind: Kind
  /// Whether NULL is a value of its own here.
  package var allowsNull: Bool
  /// Refuses empty text and empty blobs.
  package var nonEmpty: Bool
  /// Refuses infinities.
  package var finite: Bool
  /// The most Unicode scalars of a text, or bytes of a blob.
  package var maximumLength: Int?
  /// The least and the greatest number, both included.
  package var range: ClosedRange<Double>?

  /// A rule that takes any value of the kind.
  package init(
    _ kind: Kind, allowsNull: Bool = false, nonEmpty: Bool = false, finite: Bool = false,
    maximumLength: Int? = nil, range: ClosedRange<Double>? = nil
  ) {
    self.kind = kind
    self.allowsNull = allowsNull
    self.nonEmpty = nonEmpty
    self.finite = finite
    self.maximumLength = maximumLength
    self.range = range
  }

  /// Takes every value, NULL included.
  package static let anything = ValueRule(.any, allowsNull: true)

  /// The most bytes of any text or blob: what travels.
  package static let largestSize = 16 << 20

  /// What is wrong with the value, as the end of a sentence about the column; nil if the column takes it.
  package func problem(with value: Value) -> String? {
    switch value {
    case .null: return allowsNull ? nil : "must not be NULL"
    case .integer(let number):
      if kind == .real { return outside(Double(number)) }
      return mismatch(.integer, "an integer") ?? outside(Double(number))
    case .real(let number):
      if finite, !number.isFinite { return "must be finite" }
      return mismatch(.real, "a real number") ?? outside(number)
    case .text(let bytes):
      return mismatch(.text, "text")
        ?? size(bytes.count) { String(decoding: bytes, as: UTF8.self).unicodeScalars.count }
    case .blob(let bytes): return mismatch(.blob, "a blob") ?? size(bytes.count) { bytes.count }
    }
  }

  private func mismatch(_ actual: Kind, _ name: String) -> String? {
    kind == .any || kind == actual ? nil : "takes \(kind.rawValue), not \(name)"
  }

  private func outside(_ number: Double) -> String? {
    guard let range, !range.contains(number) else { return nil }
    return "must be from \(range.lowerBound) to \(range.upperBound)"
  }

  private func size(_ bytes: Int, _ length: () -> Int) -> String? {
    if nonEmpty, bytes == 0 { return "must not be empty" }
    if bytes > Self.largestSize { return "must not be larger than 16 MiB (store it as a file)" }
    guard let maximumLength, length() > maximumLength else { return nil }
    return "must not be longer than \(maximumLength)"
  }
}
