import Synchronization
public import TributaryRemotes

/// A remote in memory that goes wrong on purpose, the same way for the same seed and the same order of calls.
///
/// Every device works through a view of its own, since what arrives, and when, differs from device to device.
/// Time is counted in ticks: each call on any view is one, and `tick` adds more.
public final class MemoryRemote: Sendable {
  struct State: Sendable {
    var shelf: Shelf
    var faults: Faults
    var chance: Chance
    var met = FaultCounts()
    var next: [String: [OneFault]] = [:]
    var trace: [String] = []
    var clock: Int64?
  }

  let state: Mutex<State>
  let name: String

  /// An empty remote. The seed decides every fault and lag.
  public convenience init(seed: UInt64 = 1) { self.init(seed: seed, faults: Faults()) }

  /// An empty remote that goes wrong as told.
  package init(seed: UInt64 = 1, name: String = "memory", faults: Faults) {
    self.name = name
    state = Mutex(State(shelf: Shelf(seed: seed), faults: faults, chance: Chance(seed: seed)))
  }

  /// Where a device of that name finds this remote.
  public func location(for viewer: String) -> RemoteLocation {
    RemoteLocation("memory, seen by \(viewer)") { self.view(for: viewer) }
  }

  /// Ends every lag: all viewers see what the storage holds. Files that are torn for ever stay torn.
  public func settle() { state.withLock { $0.shelf.settle() } }
}

extension MemoryRemote {
  /// This remote as one device sees it.
  package func view(for viewer: String) -> MemoryView { MemoryView(remote: self, viewer: viewer) }

  /// Lets time pass.
  package func tick(_ count: Int = 1) { state.withLock { $0.shelf.time += count } }

  /// What goes wrong from now on.
  package var faults: Faults {
    get { state.withLock { $0.faults } }
    set { state.withLock { $0.faults = newValue } }
  }

  /// The storage's own wall clock, in milliseconds since 1970; nil while it tells none.
  package var clock: Int64? {
    get { state.withLock { $0.clock } }
    set { state.withLock { $0.clock = newValue } }
  }

  /// Makes something go wrong once for a viewer; several are served in order.
  package func inject(_ fault: OneFault, for viewer: String) {
    state.withLock { $0.next[viewer, default: []].append(fault) }
  }

  /// What the storage holds, whatever anybody sees.
  package var contents: [RemoteName: [UInt8]] {
    state.withLock { state in
      var all: [RemoteName: [UInt8]] = [:]
      for name in state.shelf.names { all[name] = state.shelf.truth(name) }
      return all
    }
  }

  /// Puts bytes under a name, or removes it, past all rules and at once for everybody, as an attacker would.
  package func plant(_ name: RemoteName, _ bytes: [UInt8]?) {
    state.withLock { $0.shelf.write(name, bytes, by: "", Faults(), tear: nil) }
  }

  /// The last calls, oldest first: tick, viewer, call, outcome. For the report of a failed simulation.
  package var trace: [String] { state.withLock { $0.trace } }
}
