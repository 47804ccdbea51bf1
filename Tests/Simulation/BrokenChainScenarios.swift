import Testing
import TributaryCodec
import TributaryModel
import TributaryRemotes
import TributaryTesting
import TributaryWire

@testable import Tributary

/// A peer whose logs no longer follow one another, as after its folder was put together from two backups.
struct BrokenChainScenarios {
  @Test func aBrokenChainIsReadAgainFromItsBeginningAndSaysSo() throws {
    let (crew, a, b) = try pair()
    let first = try reseal(1, of: a, after: .zero, crew)
    _ = try reseal(2, of: a, after: Hash.digest(first), crew)
    let report = try b.sync()
    #expect(report.notices.map(\.code) == [.brokenChain])
    #expect(report.gaps.isEmpty)
    #expect(try b.canonical() == a.canonical())
    #expect(try b.sync().notices.isEmpty)
  }

  @Test func aBrokenChainIsBridgedByASnapshotThatCoversIt() throws {
    let (crew, a, b) = try pair()
    _ = try reseal(2, of: a, after: Hash.digest([1]), crew)
    #expect(try b.sync().gaps[a.device] != nil)
    #expect(try b.rows()["list"]?.count == 1)
    try a.compact()
    #expect(try b.sync().gaps.isEmpty)
    #expect(try b.canonical() == a.canonical())
  }

  /// Device a has sent two logs, and b has read the first.
  private func pair() throws -> (Crew, SimulatedDevice, SimulatedDevice) {
    let crew = try Crew()
    let a = try crew.join("a")
    let b = try crew.join("b")
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l1','one')")
    _ = try b.sync()
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l2','two')")
    return (crew, a, b)
  }

  /// Seals a log of the device's anew, after another one than before. Returns its bytes.
  private func reseal(_ seq: UInt64, of device: SimulatedDevice, after previous: Digest, _ crew: Crew) throws
    -> [UInt8]
  {
    let name = RemoteName.log(device.device, seq: seq)
    let sealing = try #require(try device.engine?.sealing())
    let log = try SealedFile.open(
      try #require(crew.remote.contents[name]), at: .log(device.device, seq), dataKey: sealing.dataKey)
    let bytes = try SealedFile.seal(
      EncodedBody(log.body), at: .log(device.device, seq), previous: previous, with: sealing)
    crew.remote.plant(name, bytes)
    return bytes
  }
}
