package import TributaryModel

/// One entry as bytes of their own, for what a store keeps: held entries and the local overlay.
///
/// The bytes are one block with one row, so a later build reads them too.
package enum EntryCoding {
  /// The bytes of an entry.
  package static func encode(_ entry: Entry) throws -> [UInt8] {
    if let content = try PlainRowWriter.content(of: entry, valueLimit: WireLimit.value) {
      return RawBlock(minReader: entry.minReader, isBarrier: entry.isBarrier, content: content).bytes
    }
    let blocks = try BlockEncoder.encode([WireEntry(entry)], valueLimit: WireLimit.value)
    guard let block = blocks.first else { return [] }
    return block.raw.bytes
  }

  /// The entry, or nil if it needs a later build than `format`: keep the bytes.
  package static func decode(_ bytes: [UInt8], format: UInt32) throws -> Entry? {
    switch try BlockDecoder.decode(try RawBlock(bytes: bytes), format: format) {
    case .opaque: return nil
    case .entries(let rows):
      guard let row = rows.first, rows.count == 1, row.pieces.isEmpty else {
        throw WireError(.malformed, "The bytes of one entry hold \(rows.count), or a piece of a value.")
      }
      return row.entry
    }
  }
}

/// A record's state as bytes of their own, without its name.
package enum StateCoding {
  /// The bytes of a state.
  package static func encode(_ state: RecordState) throws -> [UInt8] {
    try EntryCoding.encode(Entry(RecordName("", RecordID(encoded: [0])), state))
  }

  /// The state; an error if the bytes are of a later layout.
  package static func decode(_ bytes: [UInt8]) throws -> RecordState {
    guard let entry = try EntryCoding.decode(bytes, format: .max) else {
      throw WireError(.malformed, "A stored state is of a later layout. Open the store with a later build.")
    }
    return entry.change
  }
}
