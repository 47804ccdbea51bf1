import TestSupport
import TributaryCodec
import TributaryModel
import TributaryWire

let sampleSchema = Schema(
  "com.example.tasks", version: 3,
  tables: [
    Table(
      "item", key: ["list", "position"],
      columns: [
        .text("title", nonEmpty: true, maximumLength: 200).unique, .integer("position", range: 0...99),
        .real("r").orNull.withDefault(1.5), .blob("b").orNull, .any("x").withDefault(Value.text([0xff])),
        .text("parent").orNull.references("list", onDelete: .setNull),
      ],
      groups: [["title", "r"]], unique: [["title", "b"]],
      references: [Reference(["x"], "list", parentColumns: ["id"], onDelete: .cascade, onUpdate: .restrict)],
      indexes: [Index("by_title", on: ["title", "r"])], scope: .synced, onDelete: .erases,
      sharedIntegerKey: true),
    Table("cache", key: "id", columns: [], scope: .local),
  ])

func digest(_ byte: UInt8) -> Digest { Hash.digest([byte]) }

let sampleCursors: CursorVector = [
  ann: Cursor(seq: 12, hash: digest(1).bytes, moment: at(1_700_000_000_000, 3).moment),
  bob: Cursor(seq: (1 << 53) - 1, hash: digest(2).bytes, moment: at(1_700_000_000_001).moment),
  eve: Cursor.start,
]

var sampleHead: Head {
  var head = Head(
    schemaName: "com.example.tasks", appVersion: 41, format: 1, schemaVersion: 3,
    deviceName: "Ann\u{2019}s laptop", epoch: 2, wall: 1_700_000_000_123)
  head.lastLog = .init(seq: 12, hash: digest(3))
  head.snapshot = .init(seq: 10, parts: 4, hash: digest(4))
  head.cursors = sampleCursors
  head.acknowledged = sampleCursors
  head.acknowledged[bob] = Cursor(seq: 2, hash: Cursor.start.hash, moment: at(9).moment)
  head.retired = [.init(device: eve, time: 1_600_000_000_000)]
  head.pruned = [PrunedPast(device: eve, seq: 8)]
  head.stateDigest = [UInt8](0..<16)
  head.floor = .init(version: 40, stamp: at(77, 1, bob), setter: bob)
  head.movedTo = "another folder"
  return head
}

/// What an adopted database says of itself.
let sampleFoundSchema: Schema = {
  var name = Column("name", ValueRule(.any, allowsNull: true))
  name.found = FoundColumn(type: "VARCHAR(40)", collation: "NOCASE")
  var added = Column("added", ValueRule(.any))
  added.found = FoundColumn(type: "", now: .timestamp)
  var id = Column("id", ValueRule(.integer))
  id.found = FoundColumn(type: "INTEGER")
  var table = Table(
    "shop", key: ["id"], columns: [id, name, added], unique: [["name"]], sharedIntegerKey: true)
  table.found = [.autoincrement]
  table.foundUnique = [FoundUnique(["added", "name"], collations: ["RTRIM", "BINARY"])]
  var schema = Schema("com.example.shop", tables: [table])
  schema.omitted = ["the view “cheap”"]
  return schema
}()

func sampleFence(_ purpose: Fence.Purpose = .revoke(eve)) throws -> Fence {
  Fence(
    epoch: 3, epochID: try EpochID(random: SeededSource(seed: 4)), keyFileHash: digest(5),
    peers: [.init(device: bob, seq: 4, hash: digest(6)), .init(device: ann, seq: 9, hash: digest(7))],
    purpose: purpose)
}

var sampleManifest: SnapshotManifest {
  SnapshotManifest(
    cursors: sampleCursors, acknowledged: [ann: sampleCursors[ann] ?? .start], greatestBarrier: 2,
    schema: try? SchemaCoding.encode(sampleSchema), stateDigest: [UInt8](repeating: 3, count: 16),
    pruned: [PrunedPast(device: eve, seq: 8), PrunedPast(device: bob, seq: 1)])
}
