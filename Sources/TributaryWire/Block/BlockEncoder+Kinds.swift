import TributaryCodec
import TributaryModel

/// The columns that are not plain values: counters, sets and deletes, row by row in one byte string.
extension BlockContentWriter {
  /// Data: per row flags (1: a base), the base's stamp from the row's, its root from its stamp, its version; the number
  /// of totals; each total's device, stamp from the row's, base from its stamp, root from its base, sum. Values: the bases'.
  mutating func counters(_ index: Int) throws -> [UInt8] {
    var data = ByteWriter()
    var values: [Value] = []
    for (number, row) in rows.enumerated() {
      guard case .counter(let counter) = row.entry.change.fields[index].content else { continue }
      data.write(varint: counter.base == nil ? 0 : 1)
      if let base = counter.base {
        write(base.stamp, from: rowStamps[number], to: &data)
        write(base.root, from: base.stamp, to: &data)
        data.write(varint: UInt64(base.schemaVersion))
        values.append(base.value)
      }
      data.write(varint: UInt64(counter.totals.count))
      for total in counter.totals {
        data.write(varint: devices.number(of: total.device))
        write(total.stamp, from: rowStamps[number], to: &data)
        write(total.base, from: total.stamp, to: &data)
        write(total.root, from: total.base, to: &data)
        data.write(zigzag: total.sum)
      }
    }
    return try column(index, kind: 1, data.bytes, values)
  }

  /// Data: per row the set's stamp from the row's, its version, the number of marks; each mark's device, flags (1: added,
  /// 2: removed) and the moments from the set's. Values: the marks'.
  mutating func sets(_ index: Int) throws -> [UInt8] {
    var data = ByteWriter()
    var values: [Value] = []
    for (number, row) in rows.enumerated() {
      guard case .set(let set) = row.entry.change.fields[index].content else { continue }
      write(set.stamp, from: rowStamps[number], to: &data)
      data.write(varint: UInt64(set.schemaVersion))
      data.write(varint: UInt64(set.marks.count))
      for mark in set.marks {
        data.write(varint: devices.number(of: mark.device))
        data.write(varint: (mark.added == nil ? 0 : 1) | (mark.removed == nil ? 0 : 2))
        for moment in [mark.added, mark.removed].compactMap(\.self) {
          data.write(zigzag: moment.milliseconds - set.stamp.moment.milliseconds)
          data.write(zigzag: Int64(moment.counter) - Int64(set.stamp.moment.counter))
        }
        values.append(mark.value)
      }
    }
    return try column(index, kind: 2, data.bytes, values)
  }

  /// Per row that has some: the rows since the last such row, the number of deletes; each delete's stamp from the row's,
  /// flags (1: erases, 2: a cause), and the cause's type number, length and bytes of identity.
  mutating func deletes() -> [UInt8] {
    var data = ByteWriter()
    var next = 0
    for (number, row) in rows.enumerated() where !row.entry.change.deletes.isEmpty {
      data.write(varint: UInt64(number - next))
      next = number + 1
      data.write(varint: UInt64(row.entry.change.deletes.count))
      for delete in row.entry.change.deletes {
        write(delete.stamp, from: rowStamps[number], to: &data)
        data.write(varint: (delete.erases ? 1 : 0) | (delete.cause == nil ? 0 : 2))
        guard let cause = delete.cause else { continue }
        data.write(varint: typeNumber(cause.type))
        data.write(varint: UInt64(cause.id.bytes.count))
        data.write(bytes: cause.id.bytes)
      }
    }
    return data.bytes
  }

  private mutating func write(_ stamp: Stamp, from other: Stamp, to data: inout ByteWriter) {
    StampDelta(stamp, from: other, &devices).write(to: &data)
  }

  private mutating func typeNumber(_ type: String) -> UInt64 {
    if let number = types.firstIndex(where: { $0.isSame(as: type) }) { return UInt64(number) }
    types.append(type)
    return UInt64(types.count - 1)
  }

  private func column(_ index: Int, kind: UInt64, _ data: [UInt8], _ values: [Value]) throws -> [UInt8] {
    let name = rows[0].entry.change.fields[index].name
    var map = MapWriter(capacity: data.count + 64)
    map.put(ColumnKey.name, text: name)
    map.put(ColumnKey.kind, uint: kind)
    map.put(ColumnKey.data, bytes: data)
    try map.put(ColumnKey.values, list: values) { try $0.write($1, limit: valueLimit, of: name) }
    return map.bytes
  }
}
