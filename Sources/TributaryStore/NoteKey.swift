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
  /// Tables that lost their guards, for people.
  package static let unguarded = NoteKey("unguarded")
}
