import CSQLite

/// How a database file is opened.
package struct OpenOptions: Sendable {
  /// Never write. Wins over `create`.
  package var readOnly: Bool
  /// Make the file if it is missing.
  package var create: Bool
  /// How long to wait for another connection's lock, in milliseconds.
  package var busyTimeout: Int32
  /// Read the path as a `file:` URI, as for `immutable=1`. When false, `file:` is an ordinary part of a name.
  package var uri: Bool
  /// Follow symbolic links on the way to the file. When false, a path with one cannot be opened.
  package var followsLinks: Bool

  /// The options for a file that is written and made when missing.
  package init(
    readOnly: Bool = false, create: Bool = true, busyTimeout: Int32 = 5_000, uri: Bool = false,
    followsLinks: Bool = true
  ) {
    self.readOnly = readOnly
    self.create = create
    self.busyTimeout = busyTimeout
    self.uri = uri
    self.followsLinks = followsLinks
  }

  /// Reading only; the file must exist.
  package static let readOnly = OpenOptions(readOnly: true, create: false)

  /// SQLite's flags. No mutex, since a connection is confined to its user.
  var flags: Int32 {
    var flags = SQLITE_OPEN_NOMUTEX
    if readOnly {
      flags |= SQLITE_OPEN_READONLY
    } else {
      flags |= SQLITE_OPEN_READWRITE
      if create { flags |= SQLITE_OPEN_CREATE }
    }
    if uri { flags |= SQLITE_OPEN_URI }
    if !followsLinks { flags |= SQLITE_OPEN_NOFOLLOW }
    return flags
  }
}
