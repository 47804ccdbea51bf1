import TributaryModel

extension DeviceSecrets {
  /// Reads what `encoded` wrote. Unknown fields are kept; an unknown version is refused.
  package init(decoding bytes: [UInt8]) throws {
    var fields = try Self.fields(of: bytes)
    guard let identity = fields.removeValue(forKey: Field.identity.rawValue),
      let marks = fields.removeValue(forKey: Field.marks.rawValue)
    else { throw FieldReader.damage("A field is missing.") }
    var reader = FieldReader(identity)
    guard let deviceID = DeviceID(bytes: try reader.raw(16)) else {
      throw FieldReader.damage("It has no device id.")
    }
    self.init(
      deviceID: deviceID, installNonce: try reader.raw(8), localSecret: try reader.raw(32),
      marks: try Self.marks(marks))
    try reader.finish()
    for field in Field.allCases {
      guard let payload = fields.removeValue(forKey: field.rawValue) else { continue }
      try take(field, payload)
    }
    unknownFields = fields
  }

  private static func fields(of bytes: [UInt8]) throws -> [UInt8: [UInt8]] {
    guard bytes.count <= sizeLimit else {
      throw CustodyError(.tooLarge, "The device's secrets have \(bytes.count) bytes, more than can be ours.")
    }
    var reader = FieldReader(bytes)
    guard try reader.raw(magic.count) == magic else { throw FieldReader.damage("They are something else.") }
    guard try reader.number(UInt16.self) == version else {
      throw CustodyError(
        .tooNew, "The device's secrets were written by another version of this software.",
        remedy: "Update this app.")
    }
    var fields: [UInt8: [UInt8]] = [:]
    var last: UInt8 = 0
    while !reader.isAtEnd {
      let tag = try reader.number(UInt8.self)
      guard tag > last else { throw FieldReader.damage("Its fields are out of order.") }
      last = tag
      fields[tag] = try reader.counted()
    }
    return fields
  }

  private mutating func take(_ field: Field, _ payload: [UInt8]) throws {
    var reader = FieldReader(payload)
    switch field {
    case .identity, .marks: break
    case .passwordKeys:
      while !reader.isAtEnd {
        let epoch = try reader.number(UInt32.self)
        passwordKeys[epoch] = PasswordKey(
          key: try reader.raw(32), epochID: try reader.raw(16), salt: try reader.raw(16),
          passes: try reader.number(), memoryKiB: try reader.number())
      }
    case .dataKeys:
      while !reader.isAtEnd { dataKeys[try reader.number()] = try reader.raw(32) }
    case .pins:
      while !reader.isAtEnd {
        guard let device = DeviceID(bytes: try reader.raw(16)) else {
          throw FieldReader.damage("A pin is cut.")
        }
        pins[Pin(device: device, epoch: try reader.number())] = try reader.raw(32)
      }
    case .remoteIdentity:
      guard let text = String(validating: payload, as: UTF8.self) else {
        throw FieldReader.damage("The remote's identity is not UTF-8.")
      }
      remoteIdentity = text
    case .extra:
      while !reader.isAtEnd { extra[try reader.text()] = try reader.counted() }
    }
  }

  private static func marks(_ payload: [UInt8]) throws -> StoreMarks {
    var reader = FieldReader(payload)
    var marks = StoreMarks(sealedSeq: try reader.number(), databaseNonce: try reader.raw(16))
    let pending = try reader.counted()
    guard pending.isEmpty || pending.count == 16 else {
      throw FieldReader.damage("A nonce has a wrong length.")
    }
    marks.pendingNonce = pending.isEmpty ? nil : pending
    if !reader.isAtEnd {
      marks.location = DatabaseLocation(
        path: try reader.text(), inode: try reader.number(), volume: try reader.number())
    }
    try reader.finish()
    return marks
  }
}
