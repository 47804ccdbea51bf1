import TributaryCodec
import TributaryModel

/// How values and stamps are written in the engine's own tables: a kind byte and the content, devices in full.
extension ByteWriter {
  mutating func write(local value: Value) {
    write(u8: value.rank)
    switch value {
    case .null: break
    case .integer(let number): write(zigzag: number)
    case .real(let number): write(u64: number.bitPattern)
    case .text(let bytes), .blob(let bytes):
      write(varint: UInt64(bytes.count))
      write(bytes: bytes)
    }
  }

  mutating func write(local stamp: Stamp) {
    write(u64: stamp.moment.raw)
    write(bytes: stamp.device.bytes)
  }

  mutating func write(local register: Register) {
    write(local: register.stamp)
    write(local: register.value)
    write(varint: UInt64(register.schemaVersion))
    write(u8: register.life == nil ? 0 : 1)
    if let life = register.life { write(local: life) }
  }
}

extension ByteReader {
  static var damagedOverlay: StoreError {
    StoreError(
      .damaged,
      "A kept value of a record cannot be read. Restore the database from a backup, or attach a new one: the remote "
        + "holds what was sent.")
  }

  /// A count that the rest of the input can hold.
  mutating func readCount() throws -> Int {
    let count = try readVarint()
    guard count <= UInt64(remaining) else { throw Self.damagedOverlay }
    return Int(count)
  }

  mutating func readLocalValue() throws -> Value {
    switch try readU8() {
    case 0: return .null
    case 1: return .integer(try readZigzag())
    case 2: return .real(Double(bitPattern: try readU64()))
    case 3: return .text(try readBytes(try readCount()))
    case 4: return .blob(try readBytes(try readCount()))
    default: throw Self.damagedOverlay
    }
  }

  mutating func readDevice() throws -> DeviceID {
    guard let device = DeviceID(bytes: try readBytes(16)) else { throw Self.damagedOverlay }
    return device
  }

  mutating func readLocalStamp() throws -> Stamp {
    let moment = Moment(raw: try readU64())
    return Stamp(moment, try readDevice())
  }

  mutating func readLocalRegister() throws -> Register {
    var register = Register(stamp: try readLocalStamp(), value: try readLocalValue())
    register.schemaVersion = UInt32(truncatingIfNeeded: try readVarint())
    if try readU8() == 1 { register.life = try readLocalStamp() }
    return register
  }
}
