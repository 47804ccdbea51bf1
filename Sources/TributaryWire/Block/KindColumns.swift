import TributaryCodec
import TributaryModel

/// Reads a column of counters; see `BlockContentWriter.counters`.
struct CounterColumn {
  private var input: ByteReader
  private let values: [Value]
  private var used = 0
  private let rows: [Stamp]
  private let devices: DeviceTable

  init(_ data: [UInt8], _ values: [Value], _ rows: [Stamp], _ devices: DeviceTable) {
    input = ByteReader(data)
    self.values = values
    self.rows = rows
    self.devices = devices
  }

  mutating func read() throws -> [Field.Content] {
    var contents: [Field.Content] = []
    contents.reserveCapacity(rows.count)
    for row in rows { contents.append(.counter(try counter(row))) }
    try input.finish()
    guard used == values.count else { throw WireError(.malformed, "Values of a counter are left over.") }
    return contents
  }

  private mutating func counter(_ row: Stamp) throws -> Counter {
    let flags = try input.readVarint()
    guard flags < 2 else { throw UnknownForm() }
    let base = flags == 1 ? try register(row) : nil
    let count = try input.readVarint()
    guard count <= UInt64(input.remaining) else {
      throw WireError(.tooLarge, "A counter has \(count) totals.")
    }
    var totals: [Counter.Total] = []
    for _ in 0..<count {
      let device = try devices.device(try input.readVarint())
      let stamp = try StampDelta(from: &input).applied(to: row, devices)
      let base = try StampDelta(from: &input).applied(to: stamp, devices)
      let root = try StampDelta(from: &input).applied(to: base, devices)
      totals.append(
        .init(device: device, stamp: stamp, base: base, life: root, sum: try input.readZigzag()))
    }
    return Counter(base: base, totals: totals)
  }

  private mutating func register(_ row: Stamp) throws -> Register {
    let stamp = try StampDelta(from: &input).applied(to: row, devices)
    let root = try StampDelta(from: &input).applied(to: stamp, devices)
    let version = try input.readVersion()
    guard used < values.count else { throw WireError(.missing, "A counter lacks its value.") }
    defer { used += 1 }
    return Register(stamp: stamp, value: values[used], schemaVersion: version, life: root)
  }
}

/// Reads a column of sets; see `BlockContentWriter.sets`.
struct SetColumn {
  private var input: ByteReader
  private let values: [Value]
  private var used = 0
  private let rows: [Stamp]
  private let devices: DeviceTable

  init(_ data: [UInt8], _ values: [Value], _ rows: [Stamp], _ devices: DeviceTable) {
    input = ByteReader(data)
    self.values = values
    self.rows = rows
    self.devices = devices
  }

  mutating func read() throws -> [Field.Content] {
    var contents: [Field.Content] = []
    contents.reserveCapacity(rows.count)
    for row in rows {
      let stamp = try StampDelta(from: &input).applied(to: row, devices)
      let version = try input.readVersion()
      let count = try input.readVarint()
      guard count <= UInt64(values.count - used) else { throw WireError(.missing, "A set lacks values.") }
      var marks: [ElementSet.Mark] = []
      marks.reserveCapacity(Int(count))
      for _ in 0..<count { marks.append(try mark(stamp.moment)) }
      contents.append(.set(ElementSet(marks: marks, stamp: stamp, schemaVersion: version)))
    }
    try input.finish()
    guard used == values.count else { throw WireError(.malformed, "Values of a set are left over.") }
    return contents
  }

  private mutating func mark(_ moment: Moment) throws -> ElementSet.Mark {
    let device = try devices.device(try input.readVarint())
    let flags = try input.readVarint()
    guard flags < 4 else { throw UnknownForm() }
    func read(_ flag: UInt64) throws -> Moment? {
      guard flags & flag != 0 else { return nil }
      let (milliseconds, counter) = (try input.readZigzag(), try input.readZigzag())
      return try StampDelta.moment(moment, plus: milliseconds, counter)
    }
    let added = try read(1)
    let removed = try read(2)
    defer { used += 1 }
    return ElementSet.Mark(value: values[used], device: device, added: added, removed: removed)
  }
}
