package import TributaryModel

/// The name of a value that the layers above keep in the store. Each layer adds its own as static constants.
package struct NoteKey: Hashable, Sendable {
  private let name: String

  /// A key that no other layer uses.
  package init(_ name: String) { self.name = name }

  /// As the engine's table has it.
  package var stored: Value { .text("sync." + name) }
}

extension NoteKey {
  /// The cursors as they were when the oldest unsealed edit was made.
  static let readBefore = NoteKey("readBefore")
  /// The schema whose columns were filled from kept fields last.
  static let schemaHash = NoteKey("schemaHash")
  /// The description of the synced tables, as JSON.
  package static let schemaJSON = NoteKey("schemaJSON")
  /// How the database was adopted, as JSON; without it, it is not.
  package static let adoption = NoteKey("adoption")
  /// What an app changed in the schema of its adopted database, a line each, for people.
  package static let drift = NoteKey("drift")
  /// 1 when what other devices have is to be read again from the start.
  package static let rereading = NoteKey("rereading")
  /// Where the file of an adopted database has each table, to see whether one was made anew.
  static let places = NoteKey("places")
  /// Tables that lost their guards, for people.
  package static let unguarded = NoteKey("unguarded")
}
