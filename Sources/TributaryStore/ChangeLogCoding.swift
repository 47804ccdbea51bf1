import TributaryModel

/// The packed form of changes in the change log. Its layout is a promise: a change is a new version.
///
/// A piece is a version byte and entries; it can be read without the others. An entry:
///
/// ```
/// varint   shared << 1 | same     bytes shared with the entry before; whether the next line is as before
/// varint type, byte kind, varint words, varint each       unless same
/// varint length, bytes            the rest of the identity
/// varint count, (varint field, value) each                for a delete: the image
/// ```
///
/// A value is a kind byte and a zigzag varint, eight bytes little-endian, or a varint length and bytes.
package enum ChangeLogCoding {
  /// The version that is written.
  package static let version: UInt8 = 1
  /// A piece is not longer than this, except one whose only entry is.
  package static let pieceLimit = 1 << 16

  /// Packs changes, which are sorted by type and identity. No changes make no piece.
  package static func encode(_ changes: [LocalChange]) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var writer = ChangeLogWriter()
    for index in changes.indices {
      let length = writer.bytes.count
      writer.append(changes[index], after: index == writer.first ? nil : changes[index - 1])
      guard writer.bytes.count > pieceLimit, index > writer.first else { continue }
      writer.bytes.removeLast(writer.bytes.count - length)
      pieces.append(writer.bytes)
      writer = ChangeLogWriter()
      writer.first = index
      writer.append(changes[index], after: nil)
    }
    return changes.isEmpty ? [] : pieces + [writer.bytes]
  }

  /// Reads one piece.
  ///
  /// - Throws: ``StoreError`` with `.damaged`, or with `.tooNew` for a version that this build does not know.
  package static func decode(_ piece: [UInt8]) throws -> [LocalChange] {
    try piece.withUnsafeBytes { bytes in
      var reader = ChangeLogReader(bytes)
      let version = try reader.byte()
      guard version == self.version else {
        throw StoreError(
          version == 0 ? .damaged : .tooNew,
          "The change log has a piece in layout \(version); this build reads \(self.version). Open the store with "
            + "the build that wrote it.")
      }
      var changes: [LocalChange] = []
      while !reader.isAtEnd { changes.append(try reader.change(after: changes.last)) }
      return changes
    }
  }
}

private struct ChangeLogWriter {
  var bytes: [UInt8] = [ChangeLogCoding.version]
  /// The place of the piece's first change among all.
  var first = 0

  @inline(__always)
  mutating func append(_ change: LocalChange, after previous: LocalChange?) {
    guard let previous else { return append(change, sharing: 0, same: false) }
    let shared = Self.shared(change.id.bytes, previous.id.bytes)
    let same =
      change.kind == previous.kind && change.type == previous.type && change.fields == previous.fields
    append(change, sharing: shared, same: same)
  }

  private static func shared(_ left: [UInt8], _ right: [UInt8]) -> Int {
    let limit = min(left.count, right.count)
    var shared = 0
    while shared < limit, left[shared] == right[shared] { shared &+= 1 }
    return shared
  }

  private mutating func append(_ change: LocalChange, sharing shared: Int, same: Bool) {
    append(UInt64(shared) << 1 | (same ? 1 : 0))
    if !same {
      append(UInt64(bitPattern: change.type))
      bytes.append(change.kind.rawValue)
      append(UInt64(change.fields.words.count))
      for word in change.fields.words { append(word) }
    }
    append(UInt64(change.id.bytes.count - shared))
    bytes.append(contentsOf: change.id.bytes[shared...])
    guard change.kind == .delete else { return }
    append(UInt64(change.image.count))
    for (field, value) in change.image {
      append(UInt64(field))
      append(value)
    }
  }

  private mutating func append(_ value: Value) {
    bytes.append(value.rank)
    switch value {
    case .null: break
    case .integer(let number): append(UInt64(bitPattern: number << 1 ^ number >> 63))
    case .real(let number):
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> shift))
      }
    case .text(let content), .blob(let content):
      append(UInt64(content.count))
      bytes.append(contentsOf: content)
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
