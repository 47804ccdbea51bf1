/// What a secret's file holds.
enum Envelope {
  case own([UInt8])
  /// Written on another machine.
  case foreign

  /// The most bytes that a secret may have.
  static let limit = 1 << 20
  /// The most bytes that a file has beyond its secret.
  static let overhead = 128

  private static let magic = Array("TRIB-SEC".utf8)
  private static let version: UInt16 = 1

  /// The content of a file.
  static func sealed(_ secret: [UInt8], for machine: Machine) -> [UInt8] {
    var writer = FieldWriter()
    writer.raw(magic)
    writer.number(version)
    writer.counted(machine.mark)
    writer.counted(secret)
    return writer.bytes + Checksum.of(writer.bytes)
  }

  /// Reads a file's content. A machine that has no name of its own opens every file.
  init(opening bytes: [UInt8], on machine: Machine, _ path: String) throws {
    let body = Array(bytes.dropLast(Checksum.size))
    guard body.starts(with: Self.magic), Checksum.of(body).elementsEqual(bytes.suffix(Checksum.size)) else {
      throw CustodyError(
        .damaged, "\(path) does not hold what was written to it.",
        remedy: "Restore it, or move it away and attach anew: the device then takes a new id.")
    }
    var reader = FieldReader(body.dropFirst(Self.magic.count))
    guard try reader.number(UInt16.self) == Self.version else {
      throw CustodyError(.tooNew, "\(path) was written by another version.", remedy: "Update this app.")
    }
    let mark = try reader.counted()
    let secret = try reader.counted()
    try reader.finish()
    let isHere = mark == machine.mark || mark.isEmpty || machine.mark.isEmpty
    self = isHere ? .own(secret) : .foreign
  }
}
