package import TributaryModel

/// What a remote shows, in the order of names.
package struct Listing: Hashable, Sendable {
  /// One file.
  package struct Entry: Hashable, Sendable {
    package let name: RemoteName
    /// Bytes, if the remote tells and the file is present.
    package let size: Int?
    package let state: State

    package init(name: RemoteName, size: Int?, state: State) {
      self.name = name
      self.size = size
      self.state = state
    }
  }

  /// Whether a file's bytes are here.
  package enum State: Hashable, Sendable {
    case present
    /// Known by name only; never to be taken as absent.
    case notDownloaded
  }

  /// The files of the device that was asked for; empty when devices were asked for.
  package var entries: [Entry]
  /// The devices that have a folder; when one device was asked for, that one if it has a folder.
  package var devices: [DeviceID]
  /// False when the remote may have left something out, so that absence proves nothing.
  package var complete: Bool
  /// How many names were passed over because they are none of ours: conflict copies, links, other software's files.
  package var ignored: Int

  package init(entries: [Entry] = [], devices: [DeviceID] = [], complete: Bool = true, ignored: Int = 0) {
    self.entries = entries
    self.devices = devices
    self.complete = complete
    self.ignored = ignored
  }

  /// The most devices that are looked at.
  package static let deviceLimit = 256
  /// The most names that one listing may have.
  package static let entryLimit = 100_000
}
