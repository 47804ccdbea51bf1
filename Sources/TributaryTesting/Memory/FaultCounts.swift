import Synchronization
import TributaryRemotes

/// How often each fault was really met, so that a simulation can show that it is not a fair-weather one.
package struct FaultCounts: Sendable, Hashable {
  /// Writes that were done and reported as failed.
  package var lostReplies = 0
  /// Calls that failed and did nothing.
  package var failures = 0
  /// Files that were published again, with the same bytes.
  package var repeatedPublications = 0
  /// Reads of a version that was already replaced or deleted.
  package var staleReads = 0
  /// Reads that did not find a file that was there.
  package var lateArrivals = 0
  /// Those among them where a later file of the same device had arrived.
  package var overtaken = 0
  /// Reads that found a file cut off.
  package var tornReads = 0
  /// Listings that lacked a file or a device that was there.
  package var lateListings = 0
  /// Reads that found a deletion before they ever found what it deleted.
  package var unseenDeletions = 0
}

extension MemoryRemote {
  /// The faults that calls have met until now.
  package var met: FaultCounts { state.withLock { $0.met } }
}

extension MemoryRemote.State {
  mutating func countRead(_ name: RemoteName, by viewer: String, _ seen: (bytes: [UInt8], number: Int)?) {
    guard let truth = shelf.newest(name) else { return }
    if let seen {
      shelf.remember(name, by: viewer)
      if seen.number != truth.number {
        met.staleReads += 1
      } else if let bytes = truth.bytes, seen.bytes.count < bytes.count {
        met.tornReads += 1
      }
    } else if truth.bytes != nil {
      met.lateArrivals += 1
      if shelf.hasLater(than: name, for: viewer) { met.overtaken += 1 }
    } else if !shelf.hasSeen(name, viewer) {
      met.unseenDeletions += 1
    }
  }

  mutating func countListing(_ listed: [RemoteName]) {
    let there = shelf.names.filter { shelf.truth($0) != nil }
    if !Set(listed).isSuperset(of: there) { met.lateListings += 1 }
  }
}
