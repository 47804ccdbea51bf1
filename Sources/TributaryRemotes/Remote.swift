package import TributaryModel

/// A place that stores files by name. It knows names and bytes only: no table, no key, no merge.
///
/// What a kind promises, and what it does not:
/// - A published file appears whole or not at all to readers where the kind can do it. Where it cannot, readers see
///   a torn file, which fails authentication; its owner deletes it and publishes the same bytes again.
/// - Create-if-absent is a hint that notices a cloned device. Correctness rests on one writer per directory.
/// - A success is believed only after the caller has read the bytes back.
///
/// All calls block the calling thread and throw `RemoteError`. A value may be used from several threads.
package protocol Remote: Sendable {
  /// Names this remote: cursors belong to one identity. The same place gives the same string in every process.
  var identity: String { get throws }

  /// The storage's own wall clock, in milliseconds since 1970, as its last reply told it; nil where it tells none.
  var clock: Int64? { get }

  /// Writes a file that must not exist yet. Not for heads.
  func publish(_ name: RemoteName, _ bytes: [UInt8]) throws -> PublishOutcome

  /// Writes a head over the one before. Refuses every other kind of name.
  func replace(_ name: RemoteName, _ bytes: [UInt8]) throws

  /// Reads a whole file of at most `limit` bytes; a longer one throws `tooLarge` before it is held in memory.
  ///
  /// A tag from an earlier read lets an unchanged file go unread.
  func read(_ name: RemoteName, ifNot tag: Tag?, limit: Int) throws -> ReadOutcome

  /// Lists the devices (nil), or the files of one device. One that has none yet gives an empty listing.
  func list(device: DeviceID?) throws -> Listing

  /// Removes a file; one that is not there is a success.
  func delete(_ name: RemoteName) throws

  /// How full the remote is, as far as it tells.
  func usage() throws -> Usage

  /// Finds out by trying what this remote can do. Leaves nothing behind.
  func probe() throws -> Capabilities

  /// Removes what interrupted uploads of this device left more than a day ago, and says how many files it was.
  func sweep(_ device: DeviceID) throws -> Int
}

extension Remote {
  /// Reads a whole file, bounded by what its kind of name allows.
  package func read(_ name: RemoteName, ifNot tag: Tag? = nil) throws -> ReadOutcome {
    try read(name, ifNot: tag, limit: name.sizeLimit)
  }

  /// A folder has no clock of its own.
  package var clock: Int64? { nil }

  /// Kinds without temporary files have nothing to sweep.
  package func sweep(_ device: DeviceID) throws -> Int { 0 }

  /// Refuses, before any I/O, what no kind of remote may store.
  package func admit(_ name: RemoteName, _ bytes: [UInt8], replacing: Bool) throws {
    guard name.isValid else {
      throw RemoteError(.permanent, "\(name) has a sequence number of 2^53 or more.")
    }
    guard name.isReplaceable == replacing else {
      throw RemoteError(
        .permanent, "\(name) cannot be \(replacing ? "replaced" : "published").",
        remedy: "Heads are replaced; every other file is published once.")
    }
    guard bytes.count <= name.sizeLimit else {
      throw RemoteError(
        .tooLarge, "\(name) would have \(bytes.count) bytes; at most \(name.sizeLimit) are allowed.",
        remedy: "Split the content over several files.")
    }
  }
}
