import Foundation
import TestSupport
import Testing
import TributaryCodec
import TributaryModel
import TributaryRemotes
import TributaryTesting
import TributaryWire

@testable import Tributary

/// Devices whose databases are copied, moved and restored.
final class IdentityFleet {
  let world: SimulatedWorld
  let remote: MemoryRemote
  let folder: TemporaryFolder
  let a: SimulatedDevice
  let b: SimulatedDevice
  /// Every log that was ever seen on the remote: none may change.
  private var logs: [RemoteName: [UInt8]] = [:]
  private var opened: [SimulatedDevice] = []

  init(seed: UInt64 = 11) throws {
    world = SimulatedWorld(seed: seed)
    remote = MemoryRemote(seed: seed)
    folder = try TemporaryFolder()
    a = try SimulatedDevice("a", in: folder, world, remote, skew: 0)
    b = try SimulatedDevice("b", in: folder, world, remote, skew: 0)
    try a.attach(create: true)
    _ = try a.sync()
    try b.attach(create: false)
    _ = try b.sync()
  }

  deinit {
    for device in [a, b] + opened { device.store.close() }
  }

  func edit(_ device: SimulatedDevice, _ sql: String) throws {
    world.advance(10)
    try device.store.write { try $0.execute(sql) }
  }

  /// The database's file as it is now, under another name.
  func save(_ device: SimulatedDevice, as name: String) throws -> String {
    let copy = folder.path("\(name).db")
    device.store.close()
    try FileManager.default.copyItem(atPath: device.path, toPath: copy)
    try device.restart()
    return copy
  }

  /// Puts a saved file in the place of the database.
  func restore(_ device: SimulatedDevice, from copy: String) throws {
    device.store.close()
    for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: device.path + end) }
    try FileManager.default.copyItem(atPath: copy, toPath: device.path)
    try device.restart()
  }

  /// A copy of the database, opened beside it or on another machine.
  func copy(
    _ device: SimulatedDevice, as name: String, secrets: MemorySecretStore? = nil, isElsewhere: Bool = false
  ) throws -> SimulatedDevice {
    _ = try save(device, as: name)
    let copy = try SimulatedDevice(
      name, in: folder, world, remote, skew: 0, secrets: secrets ?? device.secrets, isElsewhere: isElsewhere)
    opened.append(copy)
    try copy.restart()
    return copy
  }

  /// Syncs, and checks that no log on the remote was written over.
  @discardableResult
  func sync(_ device: SimulatedDevice) throws -> SyncReport {
    world.advance(10)
    defer { checkLogs() }
    return try device.sync()
  }

  /// Syncs a device that is stopped at the nth step; false if it came to its end before.
  func stop(_ device: SimulatedDevice, after steps: Int) throws -> Bool {
    world.stop(after: steps)
    defer { world.stop(after: nil) }
    do {
      try sync(device)
      return false
    } catch is Stopped {
      try device.restart()
      return true
    }
  }

  /// Syncs a device that is stopped at the step of that name; false if it did not come there.
  func stop(_ device: SimulatedDevice, at step: String) throws -> Bool {
    world.act(at: step, of: device.name) { throw Stopped(step: step) }
    do {
      try sync(device)
      return false
    } catch is Stopped {
      try device.restart()
      return true
    }
  }

  /// Stops a device right before it uploads what it has sealed.
  func freeze(_ device: SimulatedDevice) throws {
    for steps in 0..<40 {
      let before = try device.store.unsentNames().count
      guard try stop(device, after: steps) else { break }
      if try device.store.unsentNames().count > before { return }
    }
    Issue.record("Nothing was sealed.")
  }

  /// Stops a device between the upload of its log and its head.
  func uploadWithoutHead(_ device: SimulatedDevice) throws {
    try freeze(device)
    let before = remote.contents.count
    for steps in 0..<40 where remote.contents.count == before {
      guard try stop(device, after: steps) else { break }
    }
    #expect(remote.contents.count == before + 1)
  }

  /// Puts a head of another installation, or of a twin, in the place of the device's own.
  func plantForeignHead(of device: SimulatedDevice, hasSameNonce: Bool = false) throws {
    remote.plant(.head(device.device), try foreignHead(of: device, hasSameNonce: hasSameNonce))
  }

  /// A head of another installation, or of a twin.
  func foreignHead(of device: SimulatedDevice, hasSameNonce: Bool = false) throws -> [UInt8] {
    let name = RemoteName.head(device.device)
    var sealing = try #require(try device.engine?.sealing())
    if !hasSameNonce { sealing.installNonce += 1 }
    let bytes = try #require(remote.contents[name])
    let opened = try SealedFile.open(bytes, at: .head(device.device), dataKey: sealing.dataKey)
    return try SealedFile.seal(
      EncodedBody(opened.body), at: .head(device.device), counter: opened.header.seq, with: sealing)
  }

  /// Everyone ends the same, with nothing left to do.
  func expectSame(
    _ devices: [SimulatedDevice], _ note: String = "", at place: SourceLocation = #_sourceLocation
  ) throws {
    for _ in 0..<3 { for device in devices { try sync(device) } }
    let (state, rows) = (try devices[0].canonical(), try devices[0].rows())
    for device in devices {
      #expect(try device.canonical() == state, "\(device.name) \(note)", sourceLocation: place)
      #expect(try device.rows() == rows, "\(device.name) \(note)", sourceLocation: place)
      let again = try sync(device)
      #expect(again.filesWritten == 0, "\(device.name) \(note)", sourceLocation: place)
      // What an id that was given up left half uploaded stays so; its edits came another way.
      let gaps = again.gaps.filter { gap in
        devices.contains { $0.device == gap.key } || !gap.value.contains("the rest of a large change")
      }
      #expect(gaps.isEmpty, "\(device.name) \(gaps) \(note)", sourceLocation: place)
      #expect(again.notices.isEmpty, "\(device.name) \(again.notices) \(note)", sourceLocation: place)
    }
    #expect(Set(devices.map(\.device)).count == devices.count, "\(note)", sourceLocation: place)
  }

  private func checkLogs() {
    for (name, bytes) in remote.contents {
      guard case .log = name else { continue }
      if let before = logs[name] { #expect(before == bytes, "\(name.path) was written over") }
      logs[name] = bytes
    }
  }
}

extension SimulatedDevice {
  /// The value of a column of a record; nil if the record is not in its table.
  func value(_ sql: String) throws -> Value? { try store.read { try $0.value(sql) } }

  /// One random transaction. One that a constraint refuses must leave nothing behind.
  func edit(_ random: inout Splitmix) -> String {
    let statements = Workload.transaction(&random)
    do {
      try write(statements)
      return "\(statements)"
    } catch {
      return "refused"
    }
  }

  func brokenReferences() throws -> Int { try store.read { try $0.rows("PRAGMA foreign_key_check").count } }
}
