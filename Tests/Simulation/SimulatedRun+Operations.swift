import Foundation
import TestSupport
import TributaryModel
import TributaryRemotes
import TributaryTesting

@testable import Tributary
@testable import TributaryStore

extension SimulatedRun {
  /// A database that was put away.
  struct Backup {
    var path: String
    /// The clock of the store then: what was stamped later is not in it.
    var moment: Moment
    /// What programs had done that was not taken over yet.
    var foreign: ForeignEdits?
  }

  /// Does one thing and writes it into the history. What a device may meet on its way is an outcome; any other error is
  /// a failure of the engine.
  func perform(_ operation: Operation, on device: SimulatedDevice) throws {
    var step = History.Step(history.count + 1, operation, on: device.name, world)
    defer { history.append(step) }
    do {
      switch operation {
      case .edit(let statements): try edit(statements, device, &step)
      case .sync(let steps): try sync(device, stopAfter: steps, &step)
      case .compact(let steps): try compact(device, stopAfter: steps, &step)
      case .restart: try device.restart()
      case .jump(let milliseconds): jump(device, milliseconds)
      case .weather(let faults): remote.faults = faults
      case .backup: try backUp(device)
      case .restore: try restore(device)
      case .copy(let name): try copy(device, name)
      case .foreign(let statements, let habits): try foreign(statements, habits, device, &step)
      case .unwatched(let statements, let habits, let way):
        try unwatched(statements, habits, way, device, &step)
      case .migrate(let migration): try migrate(migration, device, &step)
      }
    } catch {
      step.outcome = "failed: \(error)"
      throw error
    }
  }

  private func edit(_ statements: [Statement], _ device: SimulatedDevice, _ step: inout History.Step) throws {
    let noted = try device.isAdopted ? self.noted(device) : nil
    let before = try device.store.changeLog.lastSeq
    do {
      try device.write(fitting(statements, device))
      step.outcome = "committed"
    } catch  where Workload.isRefusal(error) {
      step.outcome = "refused"
      return
    }
    try take(noted, of: device, ifTaken: &step)
    step.edits += try edits.record(device, after: before + (noted?.rows ?? 0))
  }

  private func sync(_ device: SimulatedDevice, stopAfter steps: Int?, _ step: inout History.Step) throws {
    let clock = try device.store.meta.moment(.clock)
    let wall = world.now + world.skew(of: device.name)
    try following(device, stopAfter: steps, &step) { step in
      let report = try device.sync()
      step.outcome = "synced"
      (step.sent, step.received, step.held) = (report.sent, report.received, report.held)
      let gaps = report.gaps.map { ("\($0.key)", $0.value) }
      step.gaps = gaps.isEmpty ? nil : Dictionary(uniqueKeysWithValues: gaps)
    }
    let read = try device.store.meta.moment(.clock)
    if read > clock, Clock.isFuture(read, wall: wall) {
      throw Stopped(step: "\(device.name) took a stamp from the future into its clock")
    }
  }

  private func compact(_ device: SimulatedDevice, stopAfter steps: Int?, _ step: inout History.Step) throws {
    try following(device, stopAfter: steps, &step) { step in
      try device.compact()
      step.outcome = "compacted"
    }
  }

  /// Attempts what may give the device another id, or its unsealed edits other stamps.
  private func following(
    _ device: SimulatedDevice, stopAfter steps: Int?, _ step: inout History.Step,
    _ body: (inout History.Step) throws -> Void
  ) throws {
    let moor = EditLog.Moor(
      id: device.device, sealed: try device.store.meta.moment(.sealedMoment),
      wall: world.now + world.skew(of: device.name))
    try attempt(device, stopAfter: steps, &step, body)
    // Following may settle what the attempt left.
    let isLeft = try device.store.drain.map { try !$0.isEmpty() } ?? false
    let noted = try isLeft ? self.noted(device) : nil
    try edits.follow(device, since: moor, settling: noted?.edits ?? [])
    try take(noted, of: device, ifTaken: &step)
  }

  /// Runs what may be stopped, or be failed by the remote.
  private func attempt(
    _ device: SimulatedDevice, stopAfter steps: Int?, _ step: inout History.Step,
    _ body: (inout History.Step) throws -> Void
  ) throws {
    let noted = try device.isAdopted ? self.noted(device) : nil
    try reach(device, stopAfter: steps, &step, body)
    try take(noted, of: device, ifTaken: &step)
  }

  private func reach(
    _ device: SimulatedDevice, stopAfter steps: Int?, _ step: inout History.Step,
    _ body: (inout History.Step) throws -> Void
  ) throws {
    world.stop(after: steps)
    defer { world.stop(after: nil) }
    do {
      try body(&step)
    } catch let stopped as Stopped {
      world.stop(after: nil)
      step.outcome = "stopped at \(stopped.step)"
      try device.restart()
    } catch let error as RemoteError {
      step.outcome = "remote failed: \(error.code)"
    } catch let error as SyncError where error.code == .notStored || error.code == .ownDirectoryMissing {
      step.outcome = error.message
    }
  }

  private func jump(_ device: SimulatedDevice, _ milliseconds: Int64) {
    let skew = world.skew(of: device.name) + milliseconds
    world.setSkew(max(-Self.longestJump, min(Self.longestJump, skew)), of: device.name)
  }
}

// MARK: - Copies of databases

extension SimulatedRun {
  private func backUp(_ device: SimulatedDevice) throws {
    device.store.close()
    let path = device.path + ".backup"
    try Self.copyDatabase(from: device.path, to: path)
    try device.start()
    let last = max(
      try device.store.changeLog.lastMoment ?? Moment(raw: 0), try device.store.meta.moment(.clock))
    backups[device.name] = Backup(path: path, moment: last, foreign: foreignEdits[device.name])
  }

  private func restore(_ device: SimulatedDevice) throws {
    guard let backup = backups[device.name] else { return }
    device.store.close()
    try Self.copyDatabase(from: backup.path, to: device.path)
    edits.rewind(device.name, to: backup.moment)
    foreignEdits[device.name] = backup.foreign
    try device.start()
  }

  private func copy(_ device: SimulatedDevice, _ name: String) throws {
    edits.copy(device.name, to: name, after: try device.store.meta.moment(.sealedMoment))
    device.store.close()
    try Self.copyDatabase(from: device.path, to: folder.path("\(name).db"))
    try device.start()
    world.setSkew(world.skew(of: device.name), of: name)
    let secrets = MemorySecretStore(device.secrets.contents)
    let copy = try SimulatedDevice(
      name, in: folder, world, remote, skew: 0, secrets: secrets, isAdopted: device.isAdopted)
    try copy.resume()
    foreignEdits[name] = foreignEdits[device.name]
    add(copy)
  }

  /// The file of a closed device, in place of what was there.
  private static func copyDatabase(from source: String, to target: String) throws {
    for end in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: target + end)
      guard FileManager.default.fileExists(atPath: source + end) else { continue }
      try FileManager.default.copyItem(atPath: source + end, toPath: target + end)
    }
  }
}
