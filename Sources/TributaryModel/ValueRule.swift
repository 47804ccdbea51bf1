/// What a column takes. The engine keeps it for local writes and for what peers send, so it can be relaxed
/// in a later build without rebuilding the table.
public struct ValueRule: Hashable, Sendable {
  /// The kind of value, or any.
  public enum Kind: String, Hashable, Sendable, Codable {
    case text, integer, real, blob, any
  }

  public var kind: Kind
  /// Whether NULL is a value of its own here.
  public var allowsNull: Bool
  /// Refuses empty text and empty blobs.
  public var nonEmpty: Bool
  /// Refuses infinities.
  public var finite: Bool
  /// The most Unicode scalars of a text, or bytes of a blob.
  public var maximumLength: Int?
  /// The least and the greatest number, both included.
  public var range: ClosedRange<Double>?

  /// A rule that takes any value of the kind.
  public init(
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
  public static let anything = ValueRule(.any, allowsNull: true)

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
        ?? size(bytes.isEmpty) { String(decoding: bytes, as: UTF8.self).unicodeScalars.count }
    case .blob(let bytes): return mismatch(.blob, "a blob") ?? size(bytes.isEmpty) { bytes.count }
    }
  }

  private func mismatch(_ actual: Kind, _ name: String) -> String? {
    kind == .any || kind == actual ? nil : "takes \(kind.rawValue), not \(name)"
  }

  private func outside(_ number: Double) -> String? {
    guard let range, !range.contains(number) else { return nil }
    return "must be from \(range.lowerBound) to \(range.upperBound)"
  }

  private func size(_ isEmpty: Bool, _ length: () -> Int) -> String? {
    if nonEmpty, isEmpty { return "must not be empty" }
    guard let maximumLength, length() > maximumLength else { return nil }
    return "must not be longer than \(maximumLength)"
  }
}
