import TributaryCodec
import TributaryModel

/// Overlay rows as bytes: `count`, then for each field in order its number, a kind byte and its content.
struct OverlayCoding {
  private enum Kind {
    static let value: UInt8 = 0
    static let counter: UInt8 = 1
    static let set: UInt8 = 2
  }

  static func encode(_ overlay: Overlay) -> [UInt8] {
    var out = ByteWriter(capacity: 32)
    let fields = (Array(overlay.values.keys) + Array(overlay.mergeables.keys)).sorted()
    out.write(varint: UInt64(fields.count))
    for field in fields {
      out.write(varint: UInt64(field))
      if let value = overlay.values[field] {
        out.write(u8: Kind.value)
        out.write(local: value)
      } else if let content = overlay.mergeables[field] {
        write(content, &out)
      }
    }
    return out.bytes
  }

  static func decode(_ bytes: [UInt8], flags: Int64) throws -> Overlay {
    var input = ByteReader(bytes)
    var overlay = Overlay(flags: Overlay.Flags(rawValue: flags))
    for _ in 0..<(try input.readCount()) {
      let field = Int(try input.readVarint() & 0xFFFF)
      switch try input.readU8() {
      case Kind.value: overlay.values[field] = try input.readLocalValue()
      case Kind.counter: overlay.mergeables[field] = .counter(try readCounter(&input))
      case Kind.set: overlay.mergeables[field] = .set(try readSet(&input))
      default: throw ByteReader.damagedOverlay
      }
    }
    try input.finish()
    return overlay
  }

  private static func write(_ content: Field.Content, _ out: inout ByteWriter) {
    switch content {
    case .register(let register):
      out.write(u8: Kind.value)
      out.write(local: register.value)
    case .counter(let counter):
      out.write(u8: Kind.counter)
      out.write(u8: counter.base == nil ? 0 : 1)
      if let base = counter.base { out.write(local: base) }
      out.write(varint: UInt64(counter.totals.count))
      for total in counter.totals {
        out.write(bytes: total.device.bytes)
        out.write(local: total.stamp)
        out.write(local: total.base)
        out.write(zigzag: total.sum)
      }
    case .set(let set):
      out.write(u8: Kind.set)
      out.write(local: set.stamp)
      out.write(varint: UInt64(set.schemaVersion))
      out.write(varint: UInt64(set.marks.count))
      for mark in set.marks {
        out.write(local: mark.value)
        out.write(bytes: mark.device.bytes)
        out.write(u64: mark.added?.raw ?? 0)
        out.write(u64: mark.removed?.raw ?? 0)
      }
    }
  }

  private static func readCounter(_ input: inout ByteReader) throws -> Counter {
    let base = try input.readU8() == 1 ? try input.readLocalRegister() : nil
    var totals: [Counter.Total] = []
    for _ in 0..<(try input.readCount()) {
      let device = try input.readDevice()
      totals.append(
        Counter.Total(
          device: device, stamp: try input.readLocalStamp(), base: try input.readLocalStamp(),
          sum: try input.readZigzag()))
    }
    return Counter(base: base, totals: totals)
  }

  private static func readSet(_ input: inout ByteReader) throws -> ElementSet {
    let stamp = try input.readLocalStamp()
    let version = UInt32(truncatingIfNeeded: try input.readVarint())
    var marks: [ElementSet.Mark] = []
    for _ in 0..<(try input.readCount()) {
      let value = try input.readLocalValue()
      let device = try input.readDevice()
      let added = Moment(raw: try input.readU64())
      let removed = Moment(raw: try input.readU64())
      let never = Moment(raw: 0)
      marks.append(
        ElementSet.Mark(
          value: value, device: device, added: added == never ? nil : added,
          removed: removed == never ? nil : removed
        ))
    }
    return ElementSet(marks: marks, stamp: stamp, schemaVersion: version)
  }
}
