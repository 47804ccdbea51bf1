import SQLite
import Testing
import TributaryModel

@testable import TributaryCustody
@testable import TributaryStore

/// What devices keep for themselves, as it was written when format 1 was frozen.
@Suite struct GoldenLocalFiles {
  private static let folder: FixtureFolder = FixtureFolder.version1.folder("local")

  private func bytes(_ name: String) throws -> [UInt8] { try Self.folder.bytes(name) }

  private func expect(_ says: Plain, _ name: String) throws {
    #expect(says.file == (try Self.folder.text("\(name).json")))
  }

  @Test func secretsAreRead() throws {
    let secrets = try DeviceSecrets(decoding: try bytes("secrets.bin"))
    try expect(.secrets(secrets), "secrets")
    #expect(try secrets.encoded() == (try bytes("secrets.bin")))
  }

  @Test func fieldsOfALaterBuildStayAmongSecrets() throws {
    let secrets = try DeviceSecrets(decoding: try bytes("secrets-later.bin"))
    try expect(.secrets(secrets), "secrets")
    #expect(try secrets.encoded() == (try bytes("secrets-later.bin")))
  }

  @Test func aSecretsFileIsRead() throws {
    let file = try bytes("secrets-file.bin")
    guard case .own(let secret) = try Envelope(opening: file, on: LocalFixture.machine, "golden") else {
      Issue.record("The file counts as another machine's.")
      return
    }
    #expect(secret == (try bytes("secrets.bin")))
    #expect(Envelope.sealed(secret, for: LocalFixture.machine) == file)
    guard case .foreign = try Envelope(opening: file, on: Machine(id: [1]), "golden") else {
      Issue.record("The file counts as this machine's.")
      return
    }
  }

  @Test func aPieceOfTheChangeLogIsRead() throws {
    let changes = try ChangeLogCoding.decode(try bytes("change-log.bin"))
    try expect(.list(changes.map { .change($0) }), "change-log")
    #expect(ChangeLogCoding.encode(changes) == [try bytes("change-log.bin")])
  }

  @Test func aBlockOfClocksIsRead() throws {
    let (connection, coding) = try LocalFixture.tables()
    defer { connection.close() }
    let data = try bytes("clock-block.bin")
    let lo = id(.text("a")).bytes
    try connection.execute(
      "INSERT INTO tributary_clock(type, lo, data) VALUES(1, ?1, ?2)", [.blob(lo), .blob(data)])
    var clocks: [(id: RecordID, clock: RecordClock)] = []
    try ClockTable(connection).forEach(type: 1) { id, clock in
      clocks.append((id, try coding.decode(clock)))
      return true
    }
    try expect(.clocks(clocks, lo: lo), "clock-block")
    let (other, again) = try LocalFixture.tables()
    defer { other.close() }
    let row = try LocalFixture.written(clocks.map { ($0.id, try again.encode($0.clock)) }, other)
    #expect(row.data == data)
    #expect(row.lo == lo)
  }

  @Test func aRowOfTheOverlayIsRead() throws {
    let data = try bytes("overlay.bin")
    let overlay = try OverlayCoding.decode(data, flags: 9)
    try expect(.overlay(overlay), "overlay")
    #expect(OverlayCoding.encode(overlay) == data)
  }
}
