import Foundation
import TestSupport
import Testing
import TributaryModel
import TributaryRemotes
import TributaryTesting

@testable import Tributary

/// Random lives of devices whose databases are saved, restored and copied, that are stopped anywhere, over a remote
/// that lags and fails: everybody ends the same.
struct IdentitySimulationTests {
  @Test(arguments: seeds)
  func restoredAndCopiedDevicesEndTheSame(seed: UInt64) throws {
    let run = try IdentityRun(seed: seed)
    try run.live(steps: 60)
    run.fleet.remote.faults = Faults()
    run.fleet.remote.settle()
    for device in run.devices { try device.restart() }
    try run.fleet.expectSame(run.devices, "seed \(seed)\n\(run.log.joined(separator: "\n"))")
    for device in run.devices { #expect(try device.brokenReferences() == 0, "seed \(seed)") }
  }

  /// `TRIBUTARY_IDENTITY_SEEDS=FROM..TO` chooses others.
  static let seeds: [UInt64] = {
    let parts = (ProcessInfo.processInfo.environment["TRIBUTARY_IDENTITY_SEEDS"] ?? "").split(separator: ".")
    guard parts.count == 2, let from = UInt64(parts[0]), let to = UInt64(parts[1]), from <= to else {
      return Array(1...100)
    }
    return Array(from...to)
  }()
}

final class IdentityRun {
  let fleet: IdentityFleet
  private(set) var devices: [SimulatedDevice]
  private(set) var log: [String] = []
  private var random: Splitmix
  private var saved: [(SimulatedDevice, String)] = []

  init(seed: UInt64) throws {
    random = Splitmix(seed: seed)
    fleet = try IdentityFleet(seed: seed)
    devices = [fleet.a, fleet.b]
    var faults = Faults()
    faults.deliveryLag = Int.random(in: 0...4, using: &random)
    faults.headLag = Int.random(in: 0...4, using: &random)
    faults.lostRepliesPerMille = Int.random(in: 0...60, using: &random)
    faults.failuresPerMille = Int.random(in: 0...60, using: &random)
    faults.tornPerMille = Int.random(in: 0...60, using: &random)
    fleet.remote.faults = faults
  }

  func live(steps: Int) throws {
    for index in 0..<steps {
      fleet.world.advance(Int64.random(in: 0...5, using: &random))
      fleet.remote.tick(Int.random(in: 0...2, using: &random))
      let device = devices[Int.random(in: 0..<devices.count, using: &random)]
      switch Int.random(in: 0..<20, using: &random) {
      case 0...10: log.append("\(device.name) edit \(device.edit(&random))")
      case 11...14: try sync(device, stopAfter: nil)
      case 15, 16: try sync(device, stopAfter: Int.random(in: 0..<14, using: &random))
      case 17:
        log.append("\(device.name) saved \(saved.count)")
        saved.append((device, try fleet.save(device, as: "saved\(index)")))
      case 18:
        guard !saved.isEmpty else { continue }
        let (owner, path) = saved[Int.random(in: 0..<saved.count, using: &random)]
        log.append("\(owner.name) restored from \(path)")
        try fleet.restore(owner, from: path)
      default:
        guard devices.count < 5 else { continue }
        let isTwin = Bool.random(using: &random)
        let secrets = isTwin ? MemorySecretStore(device.secrets.contents) : nil
        let copy = try fleet.copy(device, as: "copy\(index)", secrets: secrets, isElsewhere: isTwin)
        log.append("\(device.name) copied to \(copy.name), twin \(isTwin)")
        devices.append(copy)
      }
    }
  }

  private func sync(_ device: SimulatedDevice, stopAfter steps: Int?) throws {
    fleet.world.stop(after: steps)
    defer { fleet.world.stop(after: nil) }
    do {
      let report = try fleet.sync(device)
      log.append(
        "\(device.name) sent \(report.sent) received \(report.received) \(report.notices.map(\.code)) \(report.gaps)"
      )
    } catch let stopped as Stopped {
      log.append("\(device.name) stopped at \(stopped.step)")
      try device.restart()
    } catch let error as RemoteError {
      log.append("\(device.name) remote failed: \(error.code)")
    } catch let error as SyncError where error.code == .notStored || error.code == .ownDirectoryMissing {
      log.append("\(device.name) \(error.message)")
    }
  }
}
