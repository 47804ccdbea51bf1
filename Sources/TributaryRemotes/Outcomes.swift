/// What became of a publication.
package enum PublishOutcome: Hashable, Sendable {
  /// The file is new.
  case created
  /// The file was there already, with the same bytes: an earlier try had succeeded.
  case alreadySame
  /// Other bytes have the name, and keep it.
  case conflict([UInt8])
}

/// What became of a read.
package enum ReadOutcome: Hashable, Sendable {
  /// No such file.
  case absent
  /// The file exists, but its bytes are still elsewhere (an iCloud stub, a dataless file).
  case notDownloaded
  /// Something has the name and cannot be read as a file, for this reason: a link, a FIFO, a file that a listing
  /// shows and a read denies.
  case listedButRefused(String)
  /// The file is the one that the tag was given for.
  case notModified
  /// The whole file, and a tag for the next read.
  case bytes([UInt8], Tag)
}

/// A remote's own mark of a file's version. A hint: a remote that lies costs a read or a delay.
package struct Tag: Hashable, Sendable {
  package let text: String
  package init(_ text: String) { self.text = text }

  /// Matches nothing, so that the next read reads.
  package static let none = Tag("")
}

/// How full a remote is; nil where it does not say.
package struct Usage: Hashable, Sendable {
  /// Bytes in use.
  package var used: Int64?
  /// Bytes that may still be written.
  package var available: Int64?

  package init(used: Int64? = nil, available: Int64? = nil) {
    self.used = used
    self.available = available
  }
}
