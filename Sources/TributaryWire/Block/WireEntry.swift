package import TributaryModel

/// A part of a value that is too large for one file.
package struct Piece: Hashable, Sendable {
  /// Whether the whole is text or a blob.
  package var isText: Bool
  /// Its place among the pieces, from 0.
  package var index: UInt32
  /// How many pieces there are.
  package var count: UInt32
  /// Its bytes; the last piece has none.
  package var bytes: [UInt8]

  /// Whether this is the last, which stands in the entry itself.
  package var isLast: Bool { index + 1 == count }
}

/// An entry as a block holds it: some of its values may be pieces.
package struct WireEntry: Sendable, Hashable {
  /// The entry; a value that is in pieces reads NULL.
  package var entry: Entry
  /// The pieces by the index of their field.
  package var pieces: [Int: Piece]

  /// An entry and its pieces.
  package init(_ entry: Entry, pieces: [Int: Piece] = [:]) {
    self.entry = entry
    self.pieces = pieces
  }

  /// Whether it carries one piece and nothing else.
  var isAlone: Bool {
    let change = entry.change
    return pieces.count == 1 && change.fields.count == 1 && change.born == nil && change.deletes.isEmpty
  }

  /// The stamp that the others of the row are counted from: mostly it is all of them.
  var rowStamp: Stamp {
    let change = entry.change
    if let born = change.born { return born }
    if let first = change.fields.first?.stamp { return first }
    return change.deletes.last?.stamp ?? StampDelta.origin
  }

  /// Whether this row is only a piece, which must be read before the entry itself.
  var isPart: Bool { !pieces.isEmpty && pieces.values.contains { !$0.isLast } }

  /// Whether the two go into one block.
  func hasShape(of other: WireEntry) -> Bool {
    let (left, right) = (entry.change, other.entry.change)
    guard left.fields.count == right.fields.count, (left.born == nil) == (right.born == nil),
      isPart == other.isPart, entry.minReader == other.entry.minReader,
      entry.isBarrier == other.entry.isBarrier,
      entry.name.type.isSame(as: other.entry.name.type)
    else { return false }
    for index in left.fields.indices {
      guard left.fields[index].kind == right.fields[index].kind,
        left.fields[index].name.isSame(as: right.fields[index].name)
      else { return false }
    }
    return true
  }

  /// The shape as a key.
  var shape: [UInt8] {
    var key = Array(entry.name.type.utf8)
    key.append(contentsOf: [0, entry.change.born == nil ? 0 : 1, entry.isBarrier ? 1 : 0, isPart ? 1 : 0])
    withUnsafeBytes(of: entry.minReader.bigEndian) { key.append(contentsOf: $0) }
    for field in entry.change.fields {
      key.append(contentsOf: field.name.utf8)
      key.append(contentsOf: [0, field.kind])
    }
    return key
  }
}
