package import TributaryModel
package import TributaryRemotes

/// A `MemoryRemote` as one device sees it.
package struct MemoryView: Remote {
  let remote: MemoryRemote
  let viewer: String

  package var identity: String { "memory:\(remote.name)" }
  package var clock: Int64? { remote.clock }

  package func publish(_ name: RemoteName, _ bytes: [UInt8]) throws -> PublishOutcome {
    try admit(name, bytes, replacing: false)
    return try writing("publish \(name)") { state throws(RemoteError) in
      if let existing = state.shelf.truth(name) {
        if existing == bytes { state.met.repeatedPublications += 1 }
        return existing == bytes ? .alreadySame : .conflict(existing)
      }
      try state.admit(bytes.count, replacing: 0)
      let tear = state.tear(of: bytes.count, for: viewer)
      state.shelf.write(name, bytes, by: viewer, state.faults, tear: tear)
      return .created
    }
  }

  package func replace(_ name: RemoteName, _ bytes: [UInt8]) throws {
    try admit(name, bytes, replacing: true)
    try writing("replace \(name)") { state throws(RemoteError) in
      try state.admit(bytes.count, replacing: state.shelf.truth(name)?.count ?? 0)
      let tear = state.tear(of: bytes.count, for: viewer)
      state.shelf.write(name, bytes, by: viewer, state.faults, tear: tear)
    }
  }

  package func delete(_ name: RemoteName) throws {
    try writing("delete \(name)") { state throws(RemoteError) in
      guard state.shelf.truth(name) != nil else { return }
      state.shelf.write(name, nil, by: viewer, state.faults, tear: nil)
    }
  }

  package func read(_ name: RemoteName, ifNot tag: Tag?, limit: Int) throws -> ReadOutcome {
    try calling("read \(name)") { state throws(RemoteError) in
      let seen = state.shelf.seen(name, by: viewer)
      state.countRead(name, by: viewer, seen)
      guard let (bytes, number) = seen else { return .absent }
      // The length is part of the tag: a torn file that has become whole is another one.
      let current = Tag("\(number).\(bytes.count)")
      if tag == current { return .notModified }
      guard bytes.count <= limit else {
        throw RemoteError(.tooLarge, "\(name) is longer than \(limit) bytes.")
      }
      return .bytes(bytes, current)
    }
  }

  package func list(device: DeviceID?) throws -> Listing {
    try calling("list \(device.map { "\($0)" } ?? "devices")") { state throws(RemoteError) in
      let names = state.shelf.names.filter { state.shelf.isListed($0, for: viewer) }
      state.countListing(names)
      guard let device else {
        let devices = Set(names.map(\.device)).sorted()
        return capped(Listing(devices: devices), state.faults.listingCap)
      }
      let entries = names.filter { $0.device == device }.map { name in
        let size = state.shelf.seen(name, by: viewer)?.bytes.count
        return Listing.Entry(name: name, size: size, state: .present)
      }
      let listing = Listing(entries: entries, devices: entries.isEmpty ? [] : [device])
      return capped(listing, state.faults.listingCap)
    }
  }

  package func usage() throws -> Usage {
    try calling("usage") { state throws(RemoteError) in
      let used = state.shelf.used
      return Usage(used: Int64(used), available: state.faults.quota.map { Int64(max(0, $0 - used)) })
    }
  }

  package func probe() throws -> Capabilities {
    try calling("probe") { state throws(RemoteError) in
      Capabilities(createIfAbsent: .atomic, rename: true, listComplete: state.faults.listingCap == nil)
    }
  }

  private func capped(_ listing: Listing, _ cap: Int?) -> Listing {
    guard let cap else { return listing }
    var listing = listing
    listing.complete = listing.entries.count < cap && listing.devices.count < cap
    listing.entries.removeSubrange(min(cap, listing.entries.count)...)
    listing.devices.removeSubrange(min(cap, listing.devices.count)...)
    return listing
  }
}
