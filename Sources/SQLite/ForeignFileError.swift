/// Why a file from elsewhere must not be used in place.
package struct ForeignFileError: Error, Sendable {
  /// The kind of reason. New kinds may be added.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    package let name: String
    package init(_ name: String) { self.name = name }
    package var description: String { name }

    /// There is no such file.
    package static let missing = Code("missing")
    /// The system does not let it be read.
    package static let unreadable = Code("unreadable")
    /// The system does not let it be written.
    package static let readOnly = Code("readOnly")
    /// It, or a file that SQLite keeps beside it, is a folder, a pipe or a device.
    package static let notPlain = Code("notPlain")
    /// A file that SQLite keeps beside it is a symbolic link.
    package static let link = Code("link")
    /// It, or a file that SQLite keeps beside it, has a second name, so that writing changes another file as well.
    package static let secondName = Code("secondName")
    /// It is no SQLite database, or is encrypted.
    package static let notADatabase = Code("notADatabase")
    /// A later version of SQLite made it.
    package static let tooNew = Code("tooNew")
    /// Its journal names a further file, which SQLite would delete.
    package static let superJournal = Code("superJournal")
    /// It was replaced while it was being opened.
    package static let replaced = Code("replaced")
  }

  package let code: Code
  /// What was found, and where.
  package let message: String
  /// What a person can do about it.
  package let remedy: String

  init(_ code: Code, _ message: String, remedy: String) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }
}

extension ForeignFileError: CustomStringConvertible {
  package var description: String { "\(message) \(remedy)" }
}
