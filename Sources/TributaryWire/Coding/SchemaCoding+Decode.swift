import TributaryCodec
package import TributaryModel

extension SchemaCoding {
  /// The schema in the bytes. What a later build added to its description is passed over; a kind, policy or action
  /// that this build does not know is an error.
  package static func decode(_ bytes: [UInt8]) throws -> Schema {
    var schema = Schema("", tables: [])
    try CBORReader.readWhole(bytes) { key, reader in
      switch key {
      case 0: schema.name = try name(&reader)
      case 1: schema.version = try reader.readUInt32()
      case 2: schema.tables = try reader.readList(limit: WireLimit.schemaItems, table)
      case 3:
        schema.omitted = try reader.readList(limit: SchemaLimits.omissions) {
          try $0.readText(limit: SchemaLimits.omission)
        }
      default: return false
      }
      return true
    }
    return schema
  }

  private static func table(_ reader: inout CBORReader) throws -> Table {
    var table = Table("", key: [], columns: [])
    try reader.readFields { key, reader in
      switch key {
      case 0: table.name = try name(&reader)
      case 1: table.key = try names(&reader)
      case 2: table.columns = try reader.readList(limit: WireLimit.fields, column)
      case 3: table.groups = try reader.readList(limit: WireLimit.schemaItems, names)
      case 4: table.unique = try reader.readList(limit: WireLimit.schemaItems, names)
      case 5: table.references = try reader.readList(limit: WireLimit.schemaItems, reference)
      case 6: table.indexes = try reader.readList(limit: WireLimit.schemaItems, index)
      case 7: table.scope = try choice(&reader)
      case 8: table.onDelete = try choice(&reader)
      case 9: table.sharedIntegerKey = try reader.readBool()
      case 10: table.found = FoundTable(rawValue: try reader.readUInt32())
      case 11: table.foundUnique = try reader.readList(limit: WireLimit.schemaItems, unique)
      default: return false
      }
      return true
    }
    return table
  }

  private static func column(_ reader: inout CBORReader) throws -> Column {
    var column = Column("", ValueRule(.any))
    try reader.readFields { key, reader in
      switch key {
      case 0: column.name = try name(&reader)
      case 1: column.rule.kind = try choice(&reader)
      case 2: column.rule.allowsNull = try reader.readBool()
      case 3: column.rule.nonEmpty = try reader.readBool()
      case 4: column.rule.finite = try reader.readBool()
      case 5: column.rule.maximumLength = Int(try reader.readUInt(limit: UInt64(Int64.max)))
      case 6: column.rule.range = try range(&reader)
      case 7: column.defaultValue = try reader.readValue(limit: WireLimit.schema)
      case 8: column.isUnique = try reader.readBool()
      case 9: column.reference = try reference(&reader)
      case 10: column.found = FoundColumn(type: try name(&reader))
      case 11: column.found?.collation = try name(&reader)
      // A word of a later build is a default that this one cannot give.
      case 12: column.found?.now = FoundColumn.Now(rawValue: try name(&reader))
      default: return false
      }
      return true
    }
    return column
  }

  private static func reference(_ reader: inout CBORReader) throws -> Reference {
    var reference = Reference([], "")
    try reader.readFields { key, reader in
      switch key {
      case 0: reference.columns = try names(&reader)
      case 1: reference.table = try name(&reader)
      case 2: reference.parentColumns = try names(&reader)
      case 3: reference.onDelete = try choice(&reader)
      case 4: reference.onUpdate = try choice(&reader)
      default: return false
      }
      return true
    }
    return reference
  }

  private static func index(_ reader: inout CBORReader) throws -> Index {
    var index = Index("", on: [])
    try reader.readFields { key, reader in
      switch key {
      case 0: index.name = try name(&reader)
      case 1: index.columns = try names(&reader)
      default: return false
      }
      return true
    }
    return index
  }

  private static func unique(_ reader: inout CBORReader) throws -> FoundUnique {
    var unique = FoundUnique([], collations: [])
    try reader.readFields { key, reader in
      switch key {
      case 0: unique.columns = try names(&reader)
      case 1: unique.collations = try names(&reader)
      default: return false
      }
      return true
    }
    return unique
  }

  private static func range(_ reader: inout CBORReader) throws -> ClosedRange<Double> {
    try reader.readTuple(least: 2) { reader, _ in
      let (least, most) = (try reader.readDouble(), try reader.readDouble())
      guard least <= most else { throw WireError(.malformed, "A range from \(least) to \(most).") }
      return (least...most, 2)
    }
  }

  private static func name(_ reader: inout CBORReader) throws -> String {
    try reader.readText(limit: WireLimit.name)
  }

  private static func names(_ reader: inout CBORReader) throws -> [String] {
    try reader.readList(limit: WireLimit.fields, name)
  }

  private static func choice<Choice: RawRepresentable<String>>(
    _ reader: inout CBORReader
  ) throws -> Choice {
    let text = try reader.readText(limit: WireLimit.name)
    guard let choice = Choice(rawValue: text) else {
      throw WireError(.malformed, "A schema says \(text), which this build does not know. Update it.")
    }
    return choice
  }
}
