import TributaryCodec
package import TributaryModel

/// A schema as CBOR, whole.
package enum SchemaCoding {
  /// The bytes of a schema.
  package static func encode(_ schema: Schema) throws -> [UInt8] {
    var map = MapWriter()
    map.put(0, text: schema.name)
    map.put(1, uint: UInt64(schema.version))
    try map.put(2, list: schema.tables) { $0.write(encoded: try encode($1)) }
    map.put(3, list: schema.omitted) { $0.write(text: $1) }
    return map.bytes
  }

  private static func encode(_ table: Table) throws -> [UInt8] {
    var map = MapWriter()
    map.put(0, text: table.name)
    map.put(1, list: table.key) { $0.write(text: $1) }
    try map.put(2, list: table.columns) { $0.write(encoded: try encode($1)) }
    map.put(3, list: table.groups, write)
    map.put(4, list: table.unique, write)
    map.put(5, list: table.references) { $0.write(encoded: encode($1)) }
    map.put(6, list: table.indexes) { $0.write(encoded: encode($1)) }
    if table.scope != .synced { map.put(7, text: table.scope.rawValue) }
    if table.onDelete != .editRevives { map.put(8, text: table.onDelete.rawValue) }
    map.put(9, flag: table.sharedIntegerKey)
    map.put(10, uint: table.found.map { UInt64($0.rawValue) })
    map.put(11, list: table.foundUnique) { $0.write(encoded: encode($1)) }
    return map.bytes
  }

  private static func encode(_ column: Column) throws -> [UInt8] {
    var map = MapWriter()
    map.put(0, text: column.name)
    map.put(1, text: column.rule.kind.rawValue)
    map.put(2, flag: column.rule.allowsNull)
    map.put(3, flag: column.rule.nonEmpty)
    map.put(4, flag: column.rule.finite)
    map.put(5, uint: column.rule.maximumLength.map { UInt64(max(0, $0)) })
    if let range = column.rule.range {
      try map.put(6) {
        $0.write(array: 2)
        try $0.write(double: range.lowerBound)
        try $0.write(double: range.upperBound)
      }
    }
    if let value = column.defaultValue { try map.put(7) { try $0.write(value: value) } }
    map.put(8, flag: column.isUnique)
    if let reference = column.reference { map.put(9) { $0.write(encoded: encode(reference)) } }
    map.put(10, text: column.found?.type)
    map.put(11, text: column.found?.collation)
    map.put(12, text: column.found?.now?.rawValue)
    return map.bytes
  }

  private static func encode(_ reference: Reference) -> [UInt8] {
    var map = MapWriter()
    map.put(0, list: reference.columns) { $0.write(text: $1) }
    map.put(1, text: reference.table)
    map.put(2, list: reference.parentColumns) { $0.write(text: $1) }
    if reference.onDelete != .noAction { map.put(3, text: reference.onDelete.rawValue) }
    if reference.onUpdate != .noAction { map.put(4, text: reference.onUpdate.rawValue) }
    return map.bytes
  }

  private static func encode(_ index: Index) -> [UInt8] {
    var map = MapWriter()
    map.put(0, text: index.name)
    map.put(1, list: index.columns) { $0.write(text: $1) }
    return map.bytes
  }

  private static func encode(_ unique: FoundUnique) -> [UInt8] {
    var map = MapWriter()
    map.put(0, list: unique.columns) { $0.write(text: $1) }
    map.put(1, list: unique.collations) { $0.write(text: $1) }
    return map.bytes
  }

  private static func write(_ output: inout CBORWriter, _ names: [String]) {
    output.write(array: names.count)
    for name in names { output.write(text: name) }
  }
}
