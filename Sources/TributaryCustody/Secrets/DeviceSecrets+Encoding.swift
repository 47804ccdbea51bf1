import TributaryModel

extension DeviceSecrets {
  /// The most bytes that encoded secrets may have.
  package static let sizeLimit = 1 << 20

  static let magic = Array("TRIB-DEV".utf8)
  static let version: UInt16 = 1

  /// The tags of the fields, in the order in which they are written.
  enum Field: UInt8, CaseIterable {
    case identity = 1
    case passwordKeys, dataKeys, pins, marks, remoteIdentity, extra
  }

  /// The same bytes for the same secrets: a magic word, a version, then tagged fields in the order of their tags,
  /// each with its length. All integers are big-endian; maps are in the order of their keys.
  package func encoded() throws -> [UInt8] {
    try checkSizes()
    var fields = unknownFields
    for field in Field.allCases { fields[field.rawValue] = payload(of: field) }
    var writer = FieldWriter()
    writer.raw(Self.magic)
    writer.number(Self.version)
    for (tag, payload) in fields.sorted(by: { $0.key < $1.key }) {
      writer.number(tag)
      writer.counted(payload)
    }
    guard writer.bytes.count <= Self.sizeLimit else {
      throw CustodyError(.tooLarge, "The device's secrets have grown to \(writer.bytes.count) bytes.")
    }
    return writer.bytes
  }

  /// nil leaves the field out.
  private func payload(of field: Field) -> [UInt8]? {
    var writer = FieldWriter()
    switch field {
    case .identity:
      writer.raw(deviceID.bytes)
      writer.raw(installNonce)
      writer.raw(localSecret)
    case .passwordKeys: write(passwordKeys, to: &writer)
    case .dataKeys:
      for (epoch, key) in dataKeys.sorted(by: { $0.key < $1.key }) {
        writer.number(epoch)
        writer.raw(key)
      }
    case .pins:
      for (pin, hash) in pins.sorted(by: { ($0.key.device, $0.key.epoch) < ($1.key.device, $1.key.epoch) }) {
        writer.raw(pin.device.bytes)
        writer.number(pin.epoch)
        writer.raw(hash)
      }
    case .marks: write(marks, to: &writer)
    case .remoteIdentity:
      guard let remoteIdentity else { return nil }
      writer.raw(remoteIdentity.utf8)
    case .extra:
      for (key, value) in extra.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
        writer.counted(Array(key.utf8))
        writer.counted(value)
      }
    }
    return writer.bytes
  }

  private func write(_ keys: [UInt32: PasswordKey], to writer: inout FieldWriter) {
    for (epoch, key) in keys.sorted(by: { $0.key < $1.key }) {
      writer.number(epoch)
      writer.raw(key.key)
      writer.raw(key.epochID)
      writer.raw(key.salt)
      writer.number(key.passes)
      writer.number(key.memoryKiB)
    }
  }

  private func write(_ marks: StoreMarks, to writer: inout FieldWriter) {
    writer.number(marks.sealedSeq)
    writer.raw(marks.databaseNonce)
    writer.counted(marks.pendingNonce ?? [])
    guard let location = marks.location else { return }
    writer.counted(Array(location.path.utf8))
    writer.number(location.inode)
    writer.number(location.volume)
  }

  /// The parts of fixed length are written without a length, so a wrong one would shift all that follows.
  private func checkSizes() throws {
    let keys = passwordKeys.values
    let isSound =
      installNonce.count == 8 && localSecret.count == 32
      && keys.allSatisfy { $0.key.count == 32 && $0.epochID.count == 16 && $0.salt.count == 16 }
      && dataKeys.values.allSatisfy { $0.count == 32 } && pins.values.allSatisfy { $0.count == 32 }
      && marks.databaseNonce.count == 16 && (marks.pendingNonce?.count ?? 16) == 16
    guard isSound else {
      throw CustodyError(.damaged, "A key, nonce or hash among the device's secrets has a wrong length.")
    }
  }
}
