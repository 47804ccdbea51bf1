package import TributaryModel

/// One thing that is wrong in a store's own file.
package struct StateFinding: Sendable, Hashable {
  /// Which kind of thing. More may be added; match the ones you know.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ name: String) { description = name }

    /// SQLite says that the file is damaged.
    package static let file = Code("file")
    /// A reference of a row points to nothing.
    package static let reference = Code("reference")
    /// The triggers that keep other programs from writing are missing.
    package static let guards = Code("guards")
    /// A table is not as the schema declares it.
    package static let table = Code("table")
    /// A row that the state knows nothing of, or knows as deleted.
    package static let extraRow = Code("extraRow")
    /// A record that the state has and its table does not.
    package static let missingRow = Code("missingRow")
    /// A row shows other values than the state says.
    package static let row = Code("row")
    /// A value that is not the one that was written with its stamp.
    package static let value = Code("value")
    /// The stamps of records cannot be read, or mean nothing.
    package static let clock = Code("clock")
    /// A value beside the tables cannot be read, or means nothing.
    package static let overlay = Code("overlay")
    /// A row of the change log cannot be read, or the log's marks contradict each other.
    package static let changeLog = Code("changeLog")
    /// A sealed file that this device keeps does not open.
    package static let outbox = Code("outbox")
  }

  package let code: Code
  /// The table that it is about, if it is about one.
  package let table: String?
  /// The record's key values; empty when it is not about one record.
  package let key: [Value]
  /// What is wrong.
  package let message: String
  /// How to mend it.
  package let remedy: String

  package init(_ code: Code, table: String? = nil, key: [Value] = [], _ message: String, remedy: String) {
    self.code = code
    self.table = table
    self.key = key
    self.message = message
    self.remedy = remedy
  }
}

extension StateFinding {
  /// What helps against damage that no write of the user's mends.
  static let restore =
    "Keep a copy of the file; then restore it from a backup, or attach a new file to the remote."

  /// A finding about one record.
  init(_ code: Code, _ shape: TableShape, _ id: RecordID, _ message: String, remedy: String) {
    self.init(code, table: shape.name, key: id.values ?? [.blob(id.bytes)], message, remedy: remedy)
  }
}
