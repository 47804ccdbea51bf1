import TributaryCodec
import TributaryModel

/// What a column of counters or sets is read from: its data, and the values beside it, each of which is used once.
struct KindInput {
  var data: ByteReader
  let devices: DeviceTable
  private let values: [Value]
  private var used = 0

  init(_ data: [UInt8], _ values: [Value], _ devices: DeviceTable) {
    self.data = ByteReader(data)
    self.values = values
    self.devices = devices
  }

  /// How many values are still to be used.
  var left: Int { values.count - used }

  /// The next value, which must be there.
  mutating func value() -> Value {
    defer { used += 1 }
    return values[used]
  }

  /// A stamp that is told as its difference from another.
  mutating func stamp(over other: Stamp) throws -> Stamp {
    try StampDelta(from: &data).applied(to: other, devices)
  }

  mutating func device() throws -> DeviceID { try devices.device(try data.readVarint()) }

  /// The contents of all rows, which use the data and the values up.
  mutating func contents(
    _ rows: [Stamp], of kind: String, _ read: (inout KindInput, Stamp) throws -> Field.Content
  ) throws -> [Field.Content] {
    var contents: [Field.Content] = []
    contents.reserveCapacity(rows.count)
    for row in rows { contents.append(try read(&self, row)) }
    try data.finish()
    guard left == 0 else { throw WireError(.malformed, "Values of a \(kind) are left over.") }
    return contents
  }
}

/// Counters; see `BlockContentWriter.counters`.
extension KindInput {
  mutating func counters(_ rows: [Stamp]) throws -> [Field.Content] {
    try contents(rows, of: "counter") { .counter(try $0.counter($1)) }
  }

  private mutating func counter(_ row: Stamp) throws -> Counter {
    let flags = try data.readVarint()
    guard flags < 2 else { throw UnknownForm() }
    let base = flags == 1 ? try register(row) : nil
    let count = try data.readVarint()
    guard count <= UInt64(data.remaining) else {
      throw WireError(.tooLarge, "A counter has \(count) totals.")
    }
    var totals: [Counter.Total] = []
    for _ in 0..<count {
      let device = try device()
      let stamp = try stamp(over: row)
      let base = try self.stamp(over: stamp)
      let root = try self.stamp(over: base)
      totals.append(
        .init(device: device, stamp: stamp, base: base, life: root, sum: try data.readZigzag()))
    }
    return Counter(base: base, totals: totals)
  }

  private mutating func register(_ row: Stamp) throws -> Register {
    let stamp = try stamp(over: row)
    let root = try self.stamp(over: stamp)
    let version = try data.readVersion()
    guard left > 0 else { throw WireError(.missing, "A counter lacks its value.") }
    return Register(stamp: stamp, value: value(), schemaVersion: version, life: root)
  }
}

/// Sets; see `BlockContentWriter.sets`.
extension KindInput {
  mutating func sets(_ rows: [Stamp]) throws -> [Field.Content] {
    try contents(rows, of: "set") { .set(try $0.set($1)) }
  }

  private mutating func set(_ row: Stamp) throws -> ElementSet {
    let stamp = try stamp(over: row)
    let version = try data.readVersion()
    let count = try data.readVarint()
    guard count <= UInt64(left) else { throw WireError(.missing, "A set lacks values.") }
    var marks: [ElementSet.Mark] = []
    marks.reserveCapacity(Int(count))
    for _ in 0..<count { marks.append(try mark(stamp.moment)) }
    return ElementSet(marks: marks, stamp: stamp, schemaVersion: version)
  }

  private mutating func mark(_ moment: Moment) throws -> ElementSet.Mark {
    let device = try device()
    let flags = try data.readVarint()
    guard flags < 4 else { throw UnknownForm() }
    func read(_ flag: UInt64) throws -> Moment? {
      guard flags & flag != 0 else { return nil }
      let (milliseconds, counter) = (try data.readZigzag(), try data.readZigzag())
      return try StampDelta.moment(moment, plus: milliseconds, counter)
    }
    let added = try read(1)
    let removed = try read(2)
    return ElementSet.Mark(value: value(), device: device, added: added, removed: removed)
  }
}
