extension Schema {
  /// Reads a schema from JSON, as ``json`` writes it.
  ///
  /// What is left out takes the value that the Swift initializers give it: a key column that is not among the columns
  /// is text, `any` takes NULL, `real` is finite. The result is not checked further: ask ``problems()``.
  ///
  /// - Throws: ``SchemaError`` for text that is not JSON, too large, or has keys or values that are not known.
  package init(json: [UInt8]) throws {
    self = try SchemaReader.schema(JSONReader.read(json))
  }

  /// The schema as JSON: the same schema gives the same text, and what has its ordinary value is left out.
  package var json: String { SchemaWriter.schema(self).text + "\n" }
}
