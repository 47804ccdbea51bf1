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
    var writer = ChangeLogWriter()
    defer { writer.deallocate() }
    for change in changes {
      change.id.bytes.withUnsafeBytes { id in
        writer.append(change.type, id, change.kind, change.fields, change.image)
      }
    }
    return writer.finish()
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
