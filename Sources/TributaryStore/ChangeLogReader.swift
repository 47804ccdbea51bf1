import TributaryModel

/// Reads a piece of the change log within its bounds.
struct ChangeLogReader {
  private var rest: UnsafeRawBufferPointer

  /// More words than any table has columns for: SQLite's limit is 32,767, and dropped fields keep their numbers.
  private static let maximumWords: UInt64 = 4_096
  private static let maximumField = maximumWords * 64

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  /// The next change, after another of the same piece.
  mutating func change(after previous: LocalChange?) throws -> LocalChange {
    let head = try number()
    let isSame = head & 1 == 1
    let run = isSame ? previous.map { ($0.type, $0.kind, $0.fields) } : try self.run()
    guard let (type, kind, fields) = run else {
      throw damaged("its first entry refers to one before it")
    }
    let id = try identity(sharing: head >> 1, with: previous?.id.bytes ?? [])
    let image = kind == .delete ? try self.image() : []
    return LocalChange(type: type, id: id, kind: kind, fields: fields, image: image)
  }

  private mutating func run() throws -> (Int64, LocalChange.Kind, FieldMask) {
    let type = Int64(bitPattern: try number())
    guard let kind = LocalChange.Kind(rawValue: try byte()) else {
      throw damaged("an entry is neither an insert nor an update nor a delete")
    }
    let count = try number()
    guard count <= Self.maximumWords, count <= UInt64(rest.count) else {
      throw damaged("an entry has too many fields")
    }
    var words: [UInt64] = []
    words.reserveCapacity(Int(count))
    for _ in 0..<count { words.append(try number()) }
    return (type, kind, FieldMask(words: words))
  }

  private mutating func identity(sharing shared: UInt64, with previous: [UInt8]) throws -> RecordID {
    let length = try number()
    let maximum = UInt64(RecordID.maximumLength)
    guard shared <= UInt64(previous.count), length <= maximum, shared + length > 0, shared + length <= maximum
    else { throw damaged("an identity has an impossible length") }
    let tail = try bytes(length)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(shared) + tail.count)
    bytes.append(contentsOf: previous[..<Int(shared)])
    bytes.append(contentsOf: tail)
    return RecordID(encoded: bytes)
  }

  private mutating func image() throws -> [(field: Int, value: Value)] {
    let count = try number()
    // A value takes two bytes at least.
    guard count <= UInt64(rest.count) / 2 else { throw damaged("an image has more values than bytes") }
    var image: [(field: Int, value: Value)] = []
    image.reserveCapacity(Int(count))
    for _ in 0..<count {
      let field = try number()
      guard field < Self.maximumField else { throw damaged("an image has a field number that is too great") }
      image.append((Int(field), try value()))
    }
    return image
  }

  private mutating func value() throws -> Value {
    switch try byte() {
    case 0: return .null
    case 1:
      let number = try number()
      return .integer(Int64(bitPattern: number >> 1 ^ (0 &- (number & 1))))
    case 2:
      let bits = try bytes(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return .real(Double(bitPattern: bits))
    case 3: return .text([UInt8](try bytes(try number())))
    case 4: return .blob([UInt8](try bytes(try number())))
    default: throw damaged("a value has an unknown kind")
    }
  }

  mutating func byte() throws -> UInt8 {
    guard let byte = rest.first else { throw damaged("it ends too early") }
    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
    return byte
  }

  private mutating func bytes(_ length: UInt64) throws -> UnsafeRawBufferPointer {
    guard length <= UInt64(rest.count) else { throw damaged("it ends too early") }
    let count = Int(length)
    defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
    return UnsafeRawBufferPointer(rebasing: rest[..<count])
  }

  private mutating func number() throws -> UInt64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try byte()
      guard shift < 63 || byte <= 1 else { throw damaged("a number does not fit 64 bits") }
      number |= UInt64(byte & 127) << shift
      if byte < 128 { return number }
      shift += 7
    }
  }

  private func damaged(_ what: String) -> StoreError {
    StoreError(
      .damaged,
      "A piece of the change log is damaged: \(what). Run `check`, and restore the store if it agrees.")
  }
}
