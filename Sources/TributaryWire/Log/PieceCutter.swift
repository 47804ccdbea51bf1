import TributaryModel

/// Cuts entries whose values are too large for one file.
enum PieceCutter {
  /// The entry as one row, or, where values are longer than `limit`, a row for each piece of them, and last the entry
  /// itself with the empty last pieces.
  static func cut(_ entry: Entry, limit: Int = WireLimit.piece) throws -> [WireEntry] {
    var rows: [WireEntry] = []
    var whole = WireEntry(entry)
    for (index, field) in entry.change.fields.enumerated() {
      guard let register = field.register, let (bytes, isText) = bytes(register.value),
        bytes.count > limit
      else { continue }
      guard bytes.count <= WireLimit.value else {
        throw WireError(
          .tooLarge,
          "Field \(field.name) of a \(entry.name.type) has \(bytes.count) bytes, above \(WireLimit.value). "
            + "Store it as a blob file.")
      }
      let empty = empty(register)
      let count = UInt32((bytes.count + limit - 1) / limit + 1)
      for number in 0..<count - 1 {
        let start = Int(number) * limit
        let piece = Piece(
          isText: isText, index: number, count: count,
          bytes: Array(bytes[start..<min(start + limit, bytes.count)]))
        let alone = RecordState(fields: [Field(field.name, empty)])
        let part = Entry(
          entry.name, alone, minReader: entry.minReader, isBarrier: entry.isBarrier)
        rows.append(WireEntry(part, pieces: [0: piece]))
      }
      whole.entry.change[field.name] = Field(field.name, empty)
      whole.pieces[index] = Piece(isText: isText, index: count - 1, count: count, bytes: [])
    }
    rows.append(whole)
    return rows
  }

  private static func empty(_ register: Register) -> Register {
    var empty = register
    empty.value = .null
    return empty
  }

  private static func bytes(_ value: Value) -> (bytes: [UInt8], isText: Bool)? {
    switch value {
    case .text(let bytes): (bytes, true)
    case .blob(let bytes): (bytes, false)
    default: nil
    }
  }
}

/// Puts the pieces of values together again, file after file. Nothing is handed out before it is whole.
struct PieceJoiner: Sendable {
  private struct Place: Hashable {
    let record: RecordName
    let field: String
    let stamp: Stamp
  }

  private struct Part {
    var bytes: [UInt8] = []
    var next: UInt32 = 0
    let count: UInt32
    let isText: Bool
  }

  private var parts: [Place: Part] = [:]
  private var held = 0

  /// The entry, whole; nil for a row that is only a piece.
  mutating func join(_ row: WireEntry) throws -> Entry? {
    guard !row.pieces.isEmpty else { return row.entry }
    if row.pieces.values.contains(where: { !$0.isLast }), !row.isAlone {
      throw WireError(.malformed, "A piece is not alone in its row. Discard the file.")
    }
    var entry = row.entry
    for (index, piece) in row.pieces {
      let field = entry.change.fields[index]
      guard let register = field.register else { continue }
      let place = Place(record: entry.name, field: field.name, stamp: register.stamp)
      guard piece.isLast else {
        try add(piece, at: place)
        return nil
      }
      var whole = register
      whole.value = try take(piece, at: place)
      entry.change[field.name] = Field(field.name, whole)
    }
    return entry
  }

  /// Fails if a value is not whole.
  func finish() throws {
    guard let place = parts.keys.first else { return }
    throw WireError(
      .incompleteRun,
      "Field \(place.field) of a \(place.record.type) lacks its last pieces. Wait for the next file.")
  }

  private mutating func add(_ piece: Piece, at place: Place) throws {
    var part = parts.removeValue(forKey: place) ?? Part(count: piece.count, isText: piece.isText)
    guard part.next == piece.index, part.count == piece.count, part.isText == piece.isText else {
      throw broken(piece, place)
    }
    held += piece.bytes.count
    guard part.bytes.count + piece.bytes.count <= WireLimit.value, held <= 8 * WireLimit.value else {
      throw WireError(
        .tooLarge, "The pieces of field \(place.field) exceed \(WireLimit.value) bytes. Discard the file.")
    }
    part.bytes.append(contentsOf: piece.bytes)
    part.next += 1
    parts[place] = part
  }

  private mutating func take(_ piece: Piece, at place: Place) throws -> Value {
    guard let part = parts.removeValue(forKey: place), part.next == piece.index,
      part.count == piece.count, part.isText == piece.isText, piece.bytes.isEmpty
    else { throw broken(piece, place) }
    held -= part.bytes.count
    return part.isText ? .text(part.bytes) : .blob(part.bytes)
  }

  private func broken(_ piece: Piece, _ place: Place) -> WireError {
    WireError(
      .incompleteRun,
      "Piece \(piece.index) of \(piece.count) of field \(place.field) does not follow the one before. Read the run again."
    )
  }
}
