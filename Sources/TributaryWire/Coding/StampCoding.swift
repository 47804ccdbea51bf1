import TributaryCodec
import TributaryModel

/// Devices by number, in the order in which they were first written.
struct DeviceTable {
  private(set) var devices: [DeviceID] = []
  private var numbers: [DeviceID: Int] = [:]

  init() {}

  init(bytes: [UInt8]) throws {
    guard bytes.count % 16 == 0, bytes.count / 16 <= WireLimit.devices else {
      throw WireError(.malformed, "A table of devices has \(bytes.count) bytes.")
    }
    devices.reserveCapacity(bytes.count / 16)
    for start in stride(from: 0, to: bytes.count, by: 16) {
      guard let device = DeviceID(bytes: bytes[start..<start + 16]) else { continue }
      devices.append(device)
    }
  }

  var bytes: [UInt8] { devices.flatMap(\.bytes) }

  mutating func number(of device: DeviceID) -> UInt64 {
    if let first = devices.first, first == device { return 0 }
    if let number = numbers[device] { return UInt64(number) }
    numbers[device] = devices.count
    devices.append(device)
    return UInt64(devices.count - 1)
  }

  func device(_ number: UInt64) throws(WireError) -> DeviceID {
    guard number < UInt64(devices.count) else {
      throw WireError(.malformed, "Device number \(number) is not in the table of \(devices.count).")
    }
    return devices[Int(number)]
  }
}

/// A stamp as its difference from another: milliseconds and counter in zigzag form, and a device code, which is 0 for
/// the same device or the device's number plus one.
struct StampDelta: Equatable {
  var milliseconds: Int64
  var counter: Int64
  var device: UInt64

  /// The stamp before the first.
  static let origin = Stamp(Moment(raw: 0), DeviceID(high: 0, low: 0))

  init(_ stamp: Stamp, from other: Stamp, _ table: inout DeviceTable) {
    milliseconds = stamp.moment.milliseconds - other.moment.milliseconds
    counter = Int64(stamp.moment.counter) - Int64(other.moment.counter)
    device = stamp.device == other.device ? 0 : table.number(of: stamp.device) + 1
  }

  init(from input: inout ByteReader) throws(CodecError) {
    milliseconds = try input.readZigzag()
    counter = try input.readZigzag()
    device = try input.readVarint()
  }

  func write(to output: inout ByteWriter) {
    output.write(zigzag: milliseconds)
    output.write(zigzag: counter)
    output.write(varint: device)
  }

  func applied(to other: Stamp, _ table: DeviceTable) throws(WireError) -> Stamp {
    let moment = try Self.moment(other.moment, plus: milliseconds, counter)
    return Stamp(moment, device == 0 ? other.device : try table.device(device - 1))
  }

  static func moment(_ other: Moment, plus milliseconds: Int64, _ counter: Int64) throws(WireError) -> Moment
  {
    let (time, overflow) = other.milliseconds.addingReportingOverflow(milliseconds)
    let (count, overflow2) = Int64(other.counter).addingReportingOverflow(counter)
    guard !overflow, !overflow2, (0..<1 << 48).contains(time), (0..<1 << 16).contains(count) else {
      throw WireError(.malformed, "A stamp lies outside 48 bits of milliseconds or 16 bits of counter.")
    }
    return Moment(milliseconds: time, counter: UInt16(count))
  }
}

/// Stamps of the rows of a block: runs of (length, delta).
enum StampColumn {
  /// Every stamp as its difference from the row before.
  static func encode(_ stamps: [Stamp], _ table: inout DeviceTable) -> [UInt8] {
    var output = ByteWriter(capacity: 16)
    var run = Run()
    var previous = StampDelta.origin
    for stamp in stamps {
      run.add(StampDelta(stamp, from: previous, &table), to: &output)
      previous = stamp
    }
    run.end(in: &output)
    return output.bytes
  }

  /// Every stamp as its difference from the row's own stamp.
  static func encode(_ stamps: [Stamp], from rows: [Stamp], _ table: inout DeviceTable) -> [UInt8] {
    var output = ByteWriter(capacity: 16)
    var run = Run()
    for index in stamps.indices {
      run.add(StampDelta(stamps[index], from: rows[index], &table), to: &output)
    }
    run.end(in: &output)
    return output.bytes
  }

  static func decode(_ bytes: [UInt8], count: Int, _ table: DeviceTable) throws -> [Stamp] {
    var stamps: [Stamp] = []
    stamps.reserveCapacity(count)
    var previous = StampDelta.origin
    try eachRun(bytes, count: count) { length, delta in
      for _ in 0..<length {
        previous = try delta.applied(to: previous, table)
        stamps.append(previous)
      }
    }
    return stamps
  }

  static func decode(_ bytes: [UInt8], from rows: [Stamp], _ table: DeviceTable) throws -> [Stamp] {
    var stamps: [Stamp] = []
    stamps.reserveCapacity(rows.count)
    try eachRun(bytes, count: rows.count) { length, delta in
      for _ in 0..<length { stamps.append(try delta.applied(to: rows[stamps.count], table)) }
    }
    return stamps
  }

  private static func eachRun(
    _ bytes: [UInt8], count: Int, _ body: (Int, StampDelta) throws -> Void
  ) throws {
    var input = ByteReader(bytes)
    var left = count
    while left > 0 {
      let length = try input.readVarint()
      guard length > 0, length <= UInt64(left) else {
        throw WireError(.malformed, "A run of \(length) stamps where \(left) are left.")
      }
      try body(Int(length), try StampDelta(from: &input))
      left -= Int(length)
    }
    try input.finish()
  }

  private struct Run {
    var delta: StampDelta?
    var length: UInt64 = 0

    mutating func add(_ next: StampDelta, to output: inout ByteWriter) {
      if next != delta { end(in: &output) }
      delta = next
      length += 1
    }

    mutating func end(in output: inout ByteWriter) {
      guard let delta, length > 0 else { return }
      output.write(varint: length)
      delta.write(to: &output)
      length = 0
    }
  }
}
