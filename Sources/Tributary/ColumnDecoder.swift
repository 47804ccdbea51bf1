import TributaryModel
import TributaryStore

/// Decodes one column of a row, which is a single value.
struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
  let value: Value
  let name: String
  /// Nil when the column is an expression.
  let table: String?
  /// The type whose property it is, for messages.
  let owner: String
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func decodeNil() -> Bool { value.isNull }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if let column = type as? any ColumnDecodable.Type {
      if let found = column.init(column: value) as? T { return found }
      throw mismatch(type)
    }
    do {
      return try T(from: self)
    } catch let error as DecodingError {
      throw StoreError(
        .decoding,
        "\(place) holds a value that \(type) does not know. Extend the type.",
        cause: error)
    }
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw nested
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw nested }

  /// The column as people find it, and the type that wants it.
  private var place: String {
    "The column “\(name)”" + (table.map { " of the table “\($0)”" } ?? "") + ", read as \(owner),"
  }

  /// Says what does not fit. The value itself stays out of messages, which end up in logs.
  private func mismatch(_ type: Any.Type) -> StoreError {
    if value.isNull {
      return StoreError(
        .decoding,
        "\(place) is NULL, but \(type) is not Optional. Declare the property Optional, or give the "
          + "column a default.")
    }
    return StoreError(
      .decoding,
      "\(place) holds \(value.kind) that does not fit \(type). Declare the property as the "
        + "column's type, or convert the value in the SELECT.")
  }

  private var nested: StoreError {
    StoreError(
      .decoding,
      "\(place) is one value, but its property has several. Store them as columns of their own."
    )
  }
}

extension Value {
  fileprivate var kind: String {
    switch self {
    case .null: "NULL"
    case .integer: "an integer"
    case .real: "a real number"
    case .text: "text"
    case .blob: "a blob"
    }
  }
}
