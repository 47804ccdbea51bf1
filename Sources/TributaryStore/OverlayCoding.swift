import TributaryCodec
import TributaryModel

/// Overlay rows as bytes: `count`, then for each content, in the order of fields and kinds, the field's number, a kind
/// byte and the content.
struct OverlayCoding {
  private enum Kind {
    static let value: UInt8 = 0
    static let counter: UInt8 = 1
    static let set: UInt8 = 2
  }

  static func encode(_ overlay: Overlay) -> [UInt8] {
    var out = ByteWriter(capacity: 32)
    let contents = overlay.mergeables.values.reduce(0) { $0 + $1.count }
    out.write(varint: UInt64(overlay.values.count + contents))
    for field in Set(overlay.values.keys).union(overlay.mergeables.keys).sorted() {
      if let value = overlay.values[field] {
        out.write(varint: UInt64(field))
        out.write(u8: Kind.value)
        out.write(local: value)
      }
      for content in overlay.mergeables[field] ?? [] {
        out.write(varint: UInt64(field))
        write(content, &out)
      }
    }
    return out.bytes
  }

  static func decode(_ bytes: [UInt8], flags: Int64) throws -> Overlay {
    var input = ByteReader(bytes)
    var overlay = Overlay(flags: Overlay.Flags(rawValue: flags))
    for _ in 0..<(try input.readCount()) {
      guard let field = UInt16(exactly: try input.readVarint()).map(Int.init) else {
        throw ByteReader.damagedOverlay
      }
      switch try input.readU8() {
      case Kind.value: overlay.values[field] = try input.readLocalValue()
      case Kind.counter: overlay.mergeables[field, default: []].append(.counter(try readCounter(&input)))
      case Kind.set: overlay.mergeables[field, default: []].append(.set(try readSet(&input)))
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
        out.write(u8: total.life == nil ? 0 : 1)
        if let life = total.life { out.write(local: life) }
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
        out.write(u8: (mark.added == nil ? 0 : 1) | (mark.removed == nil ? 0 : 2))
        if let added = mark.added { out.write(u64: added.raw) }
        if let removed = mark.removed { out.write(u64: removed.raw) }
      }
    }
  }

  private static func readCounter(_ input: inout ByteReader) throws -> Counter {
    let base = try input.readU8() == 1 ? try input.readLocalRegister() : nil
    var totals: [Counter.Total] = []
    for _ in 0..<(try input.readCount()) {
      let device = try input.readDevice()
      let (stamp, base) = (try input.readLocalStamp(), try input.readLocalStamp())
      let life = try input.readU8() == 1 ? try input.readLocalStamp() : nil
      totals.append(
        Counter.Total(device: device, stamp: stamp, base: base, life: life, sum: try input.readZigzag()))
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
      let flags = try input.readU8()
      let added = flags & 1 == 0 ? nil : Moment(raw: try input.readU64())
      let removed = flags & 2 == 0 ? nil : Moment(raw: try input.readU64())
      marks.append(ElementSet.Mark(value: value, device: device, added: added, removed: removed))
    }
    return ElementSet(marks: marks, stamp: stamp, schemaVersion: version)
  }
}
