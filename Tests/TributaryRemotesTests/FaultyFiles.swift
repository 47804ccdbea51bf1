import Synchronization
import TributaryRemotes

/// The real file system, with one call that fails, or all from one on.
final class FaultyFiles: FileSystem {
  /// What goes wrong.
  struct Plan: Sendable {
    /// Which call, counted from 0 among those that match.
    var nth: Int?
    /// Only these calls are counted; empty means all that change or read something.
    var calls: Set<String> = []
    var number: Int32 = 5
    /// All later ones fail as well, as if the process had been killed there.
    var sticky = false
    /// How many times it fails.
    var times = 1
  }

  private let live = LiveFiles()
  private let state: Mutex<(plan: Plan, count: Int, failed: Int)>
  private let shortWrites: Bool

  init(_ plan: Plan = Plan(), shortWrites: Bool = false) {
    state = Mutex((plan, 0, 0))
    self.shortWrites = shortWrites
  }

  /// How many calls were counted.
  var count: Int { state.withLock { $0.count } }

  /// How many of them failed.
  var failed: Int { state.withLock { $0.failed } }

  private func pass(_ call: String) throws(SystemFault) {
    let fault: Int32? = state.withLock { state in
      guard state.plan.calls.isEmpty || state.plan.calls.contains(call) else { return nil }
      defer { state.count += 1 }
      guard let nth = state.plan.nth, state.count >= nth else { return nil }
      guard state.plan.sticky || state.failed < state.plan.times else { return nil }
      state.failed += 1
      return state.plan.number
    }
    if let fault { throw SystemFault(call, fault) }
  }

  func openRoot(_ path: String) throws(SystemFault) -> Int32 {
    try pass("openRoot")
    return try live.openRoot(path)
  }
  func resolve(_ path: String) throws(SystemFault) -> String { try live.resolve(path) }
  func makeRoot(_ path: String) throws(SystemFault) { try live.makeRoot(path) }
  func openDirectory(_ name: String, in directory: Int32) throws(SystemFault) -> Int32 {
    try pass("openDirectory")
    return try live.openDirectory(name, in: directory)
  }
  func makeDirectory(_ name: String, in directory: Int32) throws(SystemFault) {
    try pass("makeDirectory")
    try live.makeDirectory(name, in: directory)
  }
  func create(_ name: String, in directory: Int32) throws(SystemFault) -> Int32 {
    try pass("create")
    return try live.create(name, in: directory)
  }
  func openFile(_ name: String, in directory: Int32) throws(SystemFault) -> Int32 {
    try pass("openFile")
    return try live.openFile(name, in: directory)
  }
  func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws(SystemFault) -> Int {
    try pass("write")
    let part = shortWrites ? UnsafeRawBufferPointer(rebasing: bytes.prefix(1000)) : bytes
    return try live.write(part, to: file)
  }
  func read(into buffer: UnsafeMutableRawBufferPointer, from file: Int32) throws(SystemFault) -> Int {
    try pass("read")
    return try live.read(into: buffer, from: file)
  }
  func synchronize(_ file: Int32) throws(SystemFault) {
    try pass("synchronize")
    try live.synchronize(file)
  }
  func close(_ file: Int32) throws(SystemFault) {
    // The descriptor goes even where close reports a failure.
    defer { try? live.close(file) }
    try pass("close")
  }
  func status(of file: Int32) throws(SystemFault) -> FileStatus {
    try pass("status")
    return try live.status(of: file)
  }
  func status(of name: String, in directory: Int32) throws(SystemFault) -> FileStatus {
    try pass("statusAt")
    return try live.status(of: name, in: directory)
  }
  func renameNew(_ old: String, to new: String, in directory: Int32) throws(SystemFault) {
    try pass("renameNew")
    try live.renameNew(old, to: new, in: directory)
  }
  func rename(_ old: String, to new: String, in directory: Int32) throws(SystemFault) {
    try pass("rename")
    try live.rename(old, to: new, in: directory)
  }
  func link(_ old: String, to new: String, in directory: Int32) throws(SystemFault) {
    try pass("link")
    try live.link(old, to: new, in: directory)
  }
  func remove(_ name: String, in directory: Int32) throws(SystemFault) {
    try pass("remove")
    try live.remove(name, in: directory)
  }
  func names(in directory: Int32, limit: Int) throws(SystemFault) -> [String] {
    try pass("names")
    return try live.names(in: directory, limit: limit)
  }
  func available(at file: Int32) throws(SystemFault) -> Int64 { try live.available(at: file) }
}
