import TributaryModel
import TributaryWire

extension Samples {
  /// A schema that says everything that schemas can say.
  static let schema = Schema(
    "com.example.tasks", version: 3,
    tables: [
      Table(
        "item", key: ["list", "position"],
        columns: [
          .text("title", nonEmpty: true, maximumLength: 200).unique, .integer("position", range: 0...99),
          .real("r").orNull.withDefault(1.5), .blob("b").orNull,
          .any("x").withDefault(Value.text([0xFF])),
          .text("parent").orNull.references("list", onDelete: .setNull),
        ],
        groups: [["title", "r"]], unique: [["title", "b"]],
        references: [
          Reference(["x"], "list", parentColumns: ["id"], onDelete: .cascade, onUpdate: .restrict)
        ],
        indexes: [Index("by_title", on: ["title", "r"])], scope: .synced, onDelete: .erases,
        sharedIntegerKey: true),
      Table("cache", key: "id", columns: [], scope: .local),
    ])

  /// A head with every field, but for its places.
  static var head: Head {
    var head = Head(
      schemaName: schema.name, appVersion: 41, format: 1, schemaVersion: 3,
      deviceName: "Ann\u{2019}s laptop", epoch: 2, wall: noon + 123)
    head.retired = [.init(device: eve, time: -1)]
    head.pruned = [PrunedPast(device: eve, seq: 8)]
    head.floor = .init(version: 40, stamp: at(77, 1, bob), setter: bob)
    head.movedTo = "another folder"
    return head
  }
}
