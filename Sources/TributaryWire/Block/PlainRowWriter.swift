import TributaryCodec
import TributaryModel

/// Writes the block of one row that was edited at once, by one device: the form of nearly every record of a snapshot, each
/// of which is encoded alone for the state's digest. The bytes are those of ``BlockContentWriter``, several times faster.
enum PlainRowWriter {
  /// The block's content; nil for a row that is not plain, and for one that the other writer would refuse.
  static func content(of entry: Entry, valueLimit: Int) throws -> [UInt8]? {
    let change = entry.change
    let id = entry.name.id.bytes
    guard change.deletes.isEmpty, let stamp = change.born, !change.fields.isEmpty,
      stamp.device != StampDelta.origin.device,
      (1...WireLimit.id).contains(id.count), change.fields.count <= WireLimit.fields,
      entry.name.type.utf8.count <= WireLimit.name,
      change.fields.allSatisfy({ isPlain($0, stamp) })
    else { return nil }
    var output = CBORWriter(capacity: 160 + 48 * change.fields.count)
    output.write(map: 8)
    output.write(uint: BlockKey.types)
    output.write(array: 1)
    output.write(text: entry.name.type)
    output.write(uint: BlockKey.count)
    output.write(uint: 1)
    output.write(uint: BlockKey.devices)
    output.write(bytes: stamp.device.bytes)
    output.write(uint: BlockKey.idLengths)
    output.write(bytes: lengths(of: id))
    output.write(uint: BlockKey.ids)
    output.write(bytes: id)
    output.write(uint: BlockKey.stamps)
    output.write(bytes: run(of: stamp))
    output.write(uint: BlockKey.fields)
    output.write(array: change.fields.count)
    for field in change.fields { try write(field, valueLimit, to: &output) }
    output.write(uint: BlockKey.born)
    output.write(bool: true)
    return output.bytes
  }

  private static func isPlain(_ field: Field, _ stamp: Stamp) -> Bool {
    guard case .register(let register) = field.content else { return false }
    return register.stamp == stamp && register.life == nil && field.name.utf8.count <= WireLimit.name
  }

  /// Nothing shared, then all of it.
  private static func lengths(of id: [UInt8]) -> [UInt8] {
    var output = ByteWriter(capacity: 4)
    output.write(varint: 0)
    output.write(varint: UInt64(id.count))
    return output.bytes
  }

  /// One run of one stamp, by device number 0.
  private static func run(of stamp: Stamp) -> [UInt8] {
    var output = ByteWriter(capacity: 16)
    output.write(varint: 1)
    output.write(zigzag: stamp.moment.milliseconds)
    output.write(zigzag: Int64(stamp.moment.counter))
    output.write(varint: 1)
    return output.bytes
  }

  private static func write(_ field: Field, _ valueLimit: Int, to output: inout CBORWriter) throws {
    guard case .register(let register) = field.content else { return }
    let hasVersion = register.schemaVersion != 1
    output.write(map: hasVersion ? 4 : 3)
    output.write(uint: ColumnKey.name)
    output.write(text: field.name)
    output.write(uint: ColumnKey.kind)
    output.write(uint: 0)
    if hasVersion {
      output.write(uint: ColumnKey.versions)
      output.write(uint: UInt64(register.schemaVersion))
    }
    output.write(uint: ColumnKey.values)
    output.write(array: 1)
    try output.write(register.value, limit: valueLimit, of: field.name)
  }
}
