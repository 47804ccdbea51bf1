import TributaryModel
import TributaryStore

/// Decodes one row: a keyed container of its columns.
struct RowDecoder: Decoder {
  let row: Row
  /// The type that is decoded, for messages.
  let owner: String
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RowContainer(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw StoreError(.decoding, "\(owner) is a list, but a row has named columns. Decode a struct instead.")
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { try firstColumn() }

  /// What a type that is a single value is read from.
  func firstColumn() throws -> ColumnDecoder {
    guard let name = row.columns.first, let value = row.values.first else {
      throw StoreError(.decoding, "\(owner) cannot be read from a statement without columns.")
    }
    return ColumnDecoder(value: value, name: name, table: row.tables.first ?? nil, owner: owner)
  }

  func column(_ name: String) throws -> ColumnDecoder {
    guard let index = row.columns.firstIndex(of: name) else {
      throw StoreError(
        .decoding,
        "\(owner) needs the column “\(name)”, which the result lacks; it has \(row.columns.joined(separator: ", ")). "
          + "Add it to the SELECT, or declare the property Optional.")
    }
    return ColumnDecoder(value: row.values[index], name: name, table: row.tables[index], owner: owner)
  }
}

/// The columns of a row by name. One generic method serves every type that the protocol lists.
private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: RowDecoder
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { decoder.row.columns.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { decoder.row.columns.contains(key.stringValue) }

  func decodeNil(forKey key: Key) throws -> Bool { try decoder.column(key.stringValue).value.isNull }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decoder.column(key.stringValue).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<Nested>
  {
    try decoder.column(key.stringValue).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.column(key.stringValue).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { decoder }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder.column(key.stringValue) }
}
