import TributaryCodec
import TributaryModel

@testable import TributaryCustody
@testable import TributaryStore

extension Plain {
  static func secrets(_ secrets: DeviceSecrets) -> Plain {
    members([
      "device": .text("\(secrets.deviceID)"), "installNonce": hex(secrets.installNonce),
      "localSecret": hex(secrets.localSecret),
      "passwordKeys": .list(
        secrets.passwordKeys.sorted { $0.key < $1.key }.map { epoch, key in
          .object([
            ("epoch", number(epoch)), ("key", hex(key.key)), ("epochID", hex(key.epochID)),
            ("salt", hex(key.salt)), ("passes", number(key.passes)), ("kibibytes", number(key.memoryKiB)),
          ])
        }),
      "dataKeys": .list(
        secrets.dataKeys.sorted { $0.key < $1.key }.map {
          .object([("epoch", number($0.key)), ("key", hex($0.value))])
        }),
      "pins": .list(
        secrets.pins.sorted { ($0.key.device, $0.key.epoch) < ($1.key.device, $1.key.epoch) }.map {
          .object([
            ("device", .text("\($0.key.device)")), ("epoch", number($0.key.epoch)), ("hash", hex($0.value)),
          ])
        }),
      "marks": marks(secrets.marks), "remoteIdentity": secrets.remoteIdentity.map { .text($0) },
      "extra": .object(secrets.extra.sorted { $0.key < $1.key }.map { ($0.key, hex($0.value)) }),
    ])
  }

  private static func marks(_ marks: StoreMarks) -> Plain {
    members([
      "sealedSeq": number(marks.sealedSeq), "databaseNonce": hex(marks.databaseNonce),
      "pendingNonce": marks.pendingNonce.map { hex($0) },
      "location": marks.location.map {
        .object([
          ("path", .text($0.path)), ("inode", .text("\($0.inode)")), ("volume", .text("\($0.volume)")),
        ])
      },
    ])
  }

  static func change(_ change: LocalChange) -> Plain {
    members([
      "type": number(change.type), "identity": hex(change.id.bytes), "kind": .text("\(change.kind)"),
      "fields": numbers(change.fields),
      "image": .list(
        change.image.map { .object([("field", number($0.field)), ("value", value($0.value))]) }),
    ])
  }

  private static func numbers(_ mask: FieldMask) -> Plain { .list(mask.map { number($0) }) }

  static func clocks(_ clocks: [(id: RecordID, clock: RecordClock)], lo: [UInt8]) -> Plain {
    .object([
      ("type", number(1)), ("lo", hex(lo)),
      ("devices", .list([ann, bob, eve].map { .text("\($0)") })),
      ("clocks", .list(clocks.map { clock($0.id, $0.clock) })),
    ])
  }

  private static func clock(_ id: RecordID, _ clock: RecordClock) -> Plain {
    members([
      "identity": hex(id.bytes), "born": clock.born.map { stamp($0) },
      "runs": .list(
        clock.runs.map { run in
          members([
            "fields": numbers(run.fields), "stamp": stamp(run.stamp), "version": number(run.schemaVersion),
            "root": run.life.map { stamp($0) },
          ])
        }),
      "deletes": .list(clock.deletes.map { delete($0) }),
    ])
  }

  static func overlay(_ overlay: Overlay) -> Plain {
    let values = overlay.values.map { ($0.key, value($0.value)) }
    let others = overlay.mergeables.flatMap { number, contents in
      contents.map { (number, field(Field("", $0))) }
    }
    return .object([
      ("flags", number(overlay.flags.rawValue)),
      (
        "fields",
        .list(
          (values + others).sorted { $0.0 < $1.0 }.map {
            .object([("field", number($0.0)), ("content", $0.1)])
          })
      ),
    ])
  }
}
