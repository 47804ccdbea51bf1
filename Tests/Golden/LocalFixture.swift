import SQLite
import TestSupport
import TributaryCodec
import TributaryModel

@testable import TributaryCustody
@testable import TributaryStore

/// Makes the files of `local`: what a device keeps for itself, outside the database and in it.
enum LocalFixture {
  static let machine = Machine(id: Array("golden machine".utf8))

  static func make() throws -> [String: [UInt8]] {
    let secrets = try secrets().encoded()
    // A field of a later build: its tag, its length, its bytes.
    let later = secrets + [200, 0, 0, 0, 3, 1, 2, 3]
    let rows = try clockRows()
    var files: [String: [UInt8]] = [
      "secrets.bin": secrets, "secrets-later.bin": later,
      "secrets-file.bin": Envelope.sealed(secrets, for: machine),
      "change-log.bin": ChangeLogCoding.encode(changes).flatMap(\.self),
      "clock-block.bin": rows.data, "overlay.bin": OverlayCoding.encode(overlay),
    ]
    let said: [String: Plain] = [
      "secrets": .secrets(try self.secrets()), "change-log": .list(changes.map { .change($0) }),
      "clock-block": .clocks(clocks, lo: rows.lo), "overlay": .overlay(overlay),
    ]
    for (name, says) in said { files["\(name).json"] = Array(says.file.utf8) }
    return files
  }

  // MARK: Secrets

  private static func secrets() throws -> DeviceSecrets {
    let random = SeededSource(seed: 2)
    var secrets = DeviceSecrets(
      deviceID: ann, installNonce: random.bytes(8), localSecret: random.bytes(32),
      marks: StoreMarks(
        sealedSeq: (1 << 53) - 1, databaseNonce: random.bytes(16), pendingNonce: random.bytes(16),
        location: DatabaseLocation(path: "/home/ann/\u{E9}.db", inode: .max, volume: 66)))
    for epoch in [1, 2] as [UInt32] {
      secrets.passwordKeys[epoch] = PasswordKey(
        key: random.bytes(32), epochID: random.bytes(16), salt: random.bytes(16), passes: 3,
        memoryKiB: 65_536)
      secrets.dataKeys[epoch] = random.bytes(32)
      secrets.pins[.init(device: bob, epoch: epoch)] = random.bytes(32)
      secrets.pins[.init(device: eve, epoch: epoch)] = random.bytes(32)
    }
    secrets.remoteIdentity = "folder:/home/ann/Dropbox/tasks"
    secrets.extra = ["a": [], "b": [1, 2]]
    return secrets
  }

  // MARK: Tables

  private static let image: [(field: Int, value: Value)] = [
    (0, .null), (1, .integer(.min)), (2, .real(-0.0)), (3, .text([0xFF, 0])), (200, .blob([0, 1])),
  ]

  private static let changes: [LocalChange] = [
    LocalChange(type: 1, id: id(.text("alpha")), kind: .insert),
    LocalChange(type: 1, id: id(.text("alphabet")), kind: .insert),
    LocalChange(type: 1, id: id(.text("beta")), kind: .update, fields: FieldMask([0, 3])),
    LocalChange(type: 1, id: id(.text("beth")), kind: .update, fields: FieldMask([0, 3])),
    LocalChange(type: 1, id: id(.text("gamma")), kind: .update, fields: FieldMask([63, 64, 130])),
    LocalChange(
      type: 2, id: id(.integer(1), .text("x")), kind: .delete, fields: FieldMask([1]), image: image),
    LocalChange(type: 300, id: id(.blob([])), kind: .delete),
  ]

  private static let clocks: [(id: RecordID, clock: RecordClock)] = {
    let simple = RecordClock(
      born: at(0), runs: [.init(fields: FieldMask([0, 1, 2]), stamp: at(0), schemaVersion: 1)], deletes: [])
    let edited = RecordClock(
      born: at(0, 1),
      runs: [
        .init(fields: FieldMask([0, 64]), stamp: at(5, 0, bob), schemaVersion: 1),
        .init(fields: FieldMask([1]), stamp: at(-1_700_000_000_000, 0, eve), schemaVersion: 1),
      ], deletes: [])
    let rich = RecordClock(
      born: nil,
      runs: [
        .init(fields: FieldMask([0]), stamp: at(7, .max), schemaVersion: .max, life: at(6, 0, bob)),
        .init(fields: FieldMask([1]), stamp: at(7), schemaVersion: 1),
      ],
      deletes: [
        Delete(stamp: at(1)), Delete(stamp: at(2), erases: true),
        Delete(stamp: at(3), cause: RecordName("list", id(.integer(7)))),
      ])
    return [
      (id(.text("a")), simple), (id(.text("ab")), simple), (id(.text("abc")), edited),
      (id(.text("b")), rich), (id(.text("c")), RecordClock(born: nil, runs: [], deletes: [])),
    ]
  }()

  private static var overlay: Overlay {
    let ownTotal = Counter.Total(device: bob, stamp: at(8, 0, bob), base: at(1), life: at(0), sum: -7)
    let base = Register(stamp: at(1), value: .integer(10), schemaVersion: 2, life: at(0))
    let set = ElementSet(
      marks: [
        .init(value: .text("red"), device: ann, added: at(9).moment, removed: at(2).moment),
        .init(value: .null, device: bob, added: nil, removed: at(-9, 1).moment),
      ], stamp: at(10), schemaVersion: 3)
    return Overlay(
      flags: [.unseen, .kept],
      values: Dictionary(uniqueKeysWithValues: image.map { ($0.field, $0.value) }),
      mergeables: [
        4: [.counter(Counter(base: base, totals: []))], 5: [.set(set)],
        6: [.counter(Counter(base: base, totals: [ownTotal])), .set(set)],
      ])
  }

  // MARK: The clock table

  /// An empty database of the engine's tables that numbers Ann, Bob and Eve from 1.
  static func tables() throws -> (connection: Connection, coding: RecordClockCoding) {
    let connection = try Connection.open(":memory:")
    try connection.execute(LocalTables.creation)
    let numbers = LocalNumbers(connection)
    for device in [ann, bob, eve] { _ = try numbers.device(device) }
    return (connection, RecordClockCoding(numbers: numbers))
  }

  private static func clockRows() throws -> (lo: [UInt8], data: [UInt8]) {
    let (connection, coding) = try tables()
    return try written(clocks.map { ($0.id, try coding.encode($0.clock)) }, connection)
  }

  /// What the clock table makes of clocks: one row.
  static func written(
    _ clocks: [(id: RecordID, clock: [UInt8]?)], _ connection: Connection
  ) throws -> (lo: [UInt8], data: [UInt8]) {
    try ClockTable(connection).write(type: 1, clocks)
    let rows = try connection.rows("SELECT lo, data FROM tributary_clock")
    guard rows.count == 1, case .blob(let lo) = rows[0][0], case .blob(let data) = rows[0][1] else {
      throw StoreError(.damaged, "The clocks are not in one row.")
    }
    return (lo, data)
  }
}
