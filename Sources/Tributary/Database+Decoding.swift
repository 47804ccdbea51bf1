public import TributaryStore

extension Database {
  /// Runs one statement and decodes each row: columns go to properties of the same name, whatever their order.
  ///
  /// A property that is Optional takes NULL, and nil where the result lacks its column. Columns without a property are
  /// ignored. A type that is a single value, such as `String`, takes the first column.
  ///
  /// - Throws: ``StoreError`` with `.decoding`, naming the type, the column and the remedy; what `rows` throws.
  public func rows<T: Decodable>(_ sql: String, _ values: [any ValueConvertible] = [], as type: T.Type)
    throws -> [T]
  {
    try rows(sql, values.map(\.sqlValue)).map { try $0.decode(type) }
  }

  /// The first row, decoded; nil when there is no row.
  ///
  /// - Throws: as ``rows(_:_:as:)`` does.
  public func row<T: Decodable>(_ sql: String, _ values: [any ValueConvertible] = [], as type: T.Type)
    throws -> T?
  {
    try rows(sql, values.map(\.sqlValue)).first?.decode(type)
  }
}

extension Row {
  /// The row as a value of `type`: columns go to properties of the same name.
  ///
  /// - Throws: ``StoreError`` with `.decoding`, naming the type, the column and the remedy.
  public func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let decoder = RowDecoder(row: self, owner: "\(type)")
    do {
      if type is any ColumnDecodable.Type { return try decoder.firstColumn().decode(type) }
      return try T(from: decoder)
    } catch let error as DecodingError {
      throw StoreError(.decoding, "A row could not be read as \(type), which refused it.", cause: error)
    }
  }
}
