/// The bounds of what the files hold; checked before anything is allocated.
package enum WireLimit {
  /// Bytes of a record type, a field or another name.
  package static let name = 128
  /// Bytes of a record's identity.
  package static let id = 512
  /// Fields of one record.
  package static let fields = 2000
  /// Entries of one log or snapshot part.
  package static let entries = 65_536
  /// Values of one log or snapshot part: a value of one byte must not cost a hundred in memory without end.
  package static let cells = 1 << 20
  /// Bytes of a value.
  package static let value = 16 << 20
  /// Bytes of a value, or of a piece of one, within one file.
  package static let piece = 256 << 10
  /// Pieces of a value: full ones, and the empty last.
  package static let pieces = value / 256 + 2
  /// Devices that are named in a file.
  package static let devices = 65_536
  /// Directories of a remote, and so peers in a head.
  package static let peers = 4096
  /// Logs that apply together.
  package static let run = 65_536
  /// Parts of a snapshot.
  package static let parts = 65_536
  /// Bytes of a place that a store moved to.
  package static let movedTo = 1024
  /// Bytes of a schema description.
  package static let schema = 1 << 20
  /// Tables of a schema, and items of each of its lists.
  package static let schemaItems = 4096
}

/// What one file may still hold while it is decoded.
package struct WireBudget: Sendable {
  private var entries = WireLimit.entries
  private var cells = WireLimit.cells

  /// The budget of one file.
  package init() {}

  mutating func take(entries count: Int, fields: Int) throws {
    let (wanted, overflow) = count.multipliedReportingOverflow(by: fields)
    guard !overflow, count <= entries, wanted <= cells else {
      throw WireError(
        .tooLarge,
        "A file holds more than \(WireLimit.entries) entries or \(WireLimit.cells) values. Discard it.")
    }
    entries -= count
    cells -= wanted
  }

  mutating func take(cells count: Int) throws {
    guard count <= cells else {
      throw WireError(.tooLarge, "A file holds more than \(WireLimit.cells) values. Discard it.")
    }
    cells -= count
  }
}
