import Foundation
import Testing
import TributaryModel
import TributaryRemotes
import TributaryTesting

@testable import Tributary

/// Fleets of whole devices under one seeded scheduler, over a remote that lags, tears, loses replies and fails, and
/// with devices that are stopped at any step. `TRIBUTARY_SEEDS=FROM..TO` chooses the seeds.
struct SimulationTests {
  @Test(arguments: seeds)
  func everyDeviceEndsTheSameWhateverHappensOnTheWay(seed: UInt64) throws {
    let run = try SimulatedRun(seed: seed)
    defer { run.remove() }
    try run.live(steps: 80)
    try run.settleDown()
    let first = run.devices[0]
    for device in run.devices {
      #expect(
        try device.canonical() == first.canonical(),
        "seed \(seed): \(device.name) has another state\n\(run.trace)")
      #expect(
        try device.rows() == first.rows(), "seed \(seed): \(device.name) shows other rows\n\(run.trace)")
      #expect(try device.brokenReferences() == 0, "seed \(seed): \(device.name)\n\(run.trace)")
      let again = try device.sync()
      #expect(again.filesWritten == 0, "seed \(seed): \(device.name) writes with nothing to do\n\(run.trace)")
      #expect(again.gaps.isEmpty, "seed \(seed): \(device.name) is stuck: \(again.gaps)\n\(run.trace)")
    }
  }

  static let seeds: [UInt64] = {
    let parts = (ProcessInfo.processInfo.environment["TRIBUTARY_SEEDS"] ?? "").split(separator: ".")
    guard parts.count == 2, let from = UInt64(parts[0]), let to = UInt64(parts[1]), from <= to else {
      return Array(1...300)
    }
    return Array(from...to)
  }()
}

/// One run, with the trace of what happened.
final class SimulatedRun {
  private(set) var devices: [SimulatedDevice] = []
  private var log: [String] = []
  private var random: Splitmix
  private let world: SimulatedWorld
  private let remote: MemoryRemote
  private let folder: URL

  var trace: String { log.suffix(200).joined(separator: "\n") }

  init(seed: UInt64) throws {
    random = Splitmix(state: seed)
    world = SimulatedWorld(seed: seed)
    remote = MemoryRemote(seed: seed)
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("simulation-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for index in 0..<Int.random(in: 2...4, using: &random) {
      let skew = Int64.random(in: -2_000...2_000, using: &random)
      let device = try SimulatedDevice("device\(index)", in: folder, world, remote, skew: skew)
      try device.attach(create: index == 0)
      // A new device needs a head of the first one's to compare the schema's name.
      remote.settle()
      devices.append(device)
    }
    for device in devices { _ = try device.sync() }
    remote.faults = Self.faults(&random)
  }

  func live(steps: Int) throws {
    for _ in 0..<steps {
      world.advance(Int64.random(in: 0...5, using: &random))
      remote.tick(Int.random(in: 0...2, using: &random))
      let device = devices[Int.random(in: 0..<devices.count, using: &random)]
      switch Int.random(in: 0..<10, using: &random) {
      case 0...5: log.append("\(device.name) edit \(device.edit(&random))")
      case 6...8: try sync(device, stopAfter: nil)
      default: try sync(device, stopAfter: Int.random(in: 0..<8, using: &random))
      }
    }
  }

  /// All faults end; everyone syncs until everything has reached everyone.
  func settleDown() throws {
    remote.faults = Faults()
    remote.settle()
    for _ in 0..<4 {
      for device in devices {
        try device.restart()
        _ = try device.sync()
      }
    }
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  private func sync(_ device: SimulatedDevice, stopAfter steps: Int?) throws {
    world.stop(after: steps)
    defer { world.stop(after: nil) }
    do {
      let report = try device.sync()
      log.append(
        "\(device.name) sync sent \(report.sent) received \(report.received) gaps \(report.gaps.count)")
    } catch let stopped as Stopped {
      log.append("\(device.name) stopped at \(stopped.step)")
      try device.restart()
    } catch let error as RemoteError {
      log.append("\(device.name) remote failed: \(error.code)")
    } catch let error as SyncError where error.code == .notStored || error.code == .ownDirectoryMissing {
      log.append("\(device.name) \(error.message)")
    }
  }

  private static func faults(_ random: inout Splitmix) -> Faults {
    var faults = Faults()
    faults.deliveryLag = Int.random(in: 0...4, using: &random)
    faults.headLag = Int.random(in: 0...4, using: &random)
    faults.lostRepliesPerMille = Int.random(in: 0...80, using: &random)
    faults.failuresPerMille = Int.random(in: 0...80, using: &random)
    faults.tornPerMille = Int.random(in: 0...80, using: &random)
    return faults
  }
}
