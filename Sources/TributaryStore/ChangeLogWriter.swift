import Glibc
import TributaryModel

/// Packs changes into pieces of the change log, in plain memory. Whoever makes one frees it.
struct ChangeLogWriter {
  private typealias Run = (type: Int64, kind: LocalChange.Kind, fields: FieldMask)

  private var bytes = CaptureBytes(capacity: ChangeLogCoding.pieceLimit + 4_096)
  private let previous = UnsafeMutableRawPointer.allocate(
    byteCount: RecordID.maximumLength, alignment: 8)
  private var previousLength = 0
  private var run: Run?
  private var pieces: [[UInt8]] = []

  func deallocate() {
    bytes.deallocate()
    previous.deallocate()
  }

  /// Adds a change, in a new piece if this one would become too long.
  @inline(__always)
  mutating func append(
    _ type: Int64, _ id: UnsafeRawBufferPointer, _ kind: LocalChange.Kind, _ fields: FieldMask,
    _ image: [(field: Int, value: Value)]
  ) {
    let start = bytes.count
    write(type, id, kind, fields, image)
    if bytes.count > ChangeLogCoding.pieceLimit, start > 1 {
      bytes.cut(to: start)
      endPiece()
      write(type, id, kind, fields, image)
    }
    let length = min(id.count, RecordID.maximumLength)
    if let base = id.baseAddress { previous.copyMemory(from: base, byteCount: length) }
    previousLength = length
  }

  /// All pieces.
  mutating func finish() -> [[UInt8]] {
    if bytes.count > 0 { endPiece() }
    return pieces
  }

  private mutating func endPiece() {
    pieces.append([UInt8](UnsafeRawBufferPointer(start: bytes.base, count: bytes.count)))
    bytes.cut(to: 0)
    previousLength = 0
    run = nil
  }

  @inline(__always)
  private mutating func write(
    _ type: Int64, _ id: UnsafeRawBufferPointer, _ kind: LocalChange.Kind, _ fields: FieldMask,
    _ image: [(field: Int, value: Value)]
  ) {
    if bytes.count == 0 { bytes.append(ChangeLogCoding.version) }
    let shared = shared(id)
    if let run, run.type == type, run.kind == kind, run.fields == fields {
      append(UInt64(shared) << 1 | 1)
    } else {
      append(UInt64(shared) << 1)
      begin((type, kind, fields))
    }
    append(UInt64(id.count &- shared))
    if let base = id.baseAddress { bytes.append(base + shared, id.count &- shared) }
    if kind == .delete { write(image) }
  }

  @inline(__always)
  private func shared(_ id: UnsafeRawBufferPointer) -> Int {
    guard let base = id.baseAddress else { return 0 }
    let limit = min(id.count, previousLength)
    var shared = 0
    while shared &+ 8 <= limit,
      base.loadUnaligned(fromByteOffset: shared, as: UInt64.self)
        == previous.loadUnaligned(fromByteOffset: shared, as: UInt64.self)
    {
      shared &+= 8
    }
    while shared < limit,
      base.load(fromByteOffset: shared, as: UInt8.self)
        == previous.load(fromByteOffset: shared, as: UInt8.self)
    {
      shared &+= 1
    }
    return shared
  }

  @inline(never)
  private mutating func begin(_ run: Run) {
    self.run = run
    append(UInt64(bitPattern: run.type))
    bytes.append(run.kind.rawValue)
    let words = run.fields.words
    append(UInt64(words.count))
    for word in words { append(word) }
  }

  private mutating func write(_ image: [(field: Int, value: Value)]) {
    append(UInt64(image.count))
    for (field, value) in image {
      append(UInt64(field))
      write(value)
    }
  }

  private mutating func write(_ value: Value) {
    bytes.append(value.rank)
    switch value {
    case .null: break
    case .integer(let number): append(UInt64(bitPattern: number << 1 ^ number >> 63))
    case .real(let number): bytes.append(number.bitPattern.littleEndian)
    case .text(let content), .blob(let content):
      append(UInt64(content.count))
      content.withUnsafeBytes { bytes.append($0.baseAddress, $0.count) }
    }
  }

  @inline(__always)
  private mutating func append(_ number: UInt64) {
    var rest = number
    while rest > 127 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}
