import TributaryCodec
import TributaryModel
import TributaryWire

extension Plain {
  /// What an opened container's header says; its lengths are the file's own.
  static func header(_ header: ContainerHeader) -> Plain {
    .object([
      ("kind", .text("\(header.kind)")), ("part", number(header.part)),
      ("device", .text("\(header.device)")), ("installNonce", word(header.installNonce)),
      ("seq", number(header.seq)), ("epoch", number(header.epoch)),
      ("previousHash", hex(header.previousHash.bytes)),
    ])
  }

  private static func word(_ word: UInt64) -> Plain {
    hex((0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) })
  }

  /// What is hashed of a password.
  static func password(_ typed: String) throws -> Plain { secret(try Password.normalize(typed)) }

  static func secret(_ secret: Secret) -> Plain { hex(secret.withBytes { Array($0) }) }

  static func keyFile(_ header: KeyFileHeader, _ payload: KeyPayload, kek: Secret) -> Plain {
    members([
      "device": .text("\(header.device)"), "installNonce": word(header.installNonce),
      "epoch": number(header.epoch), "epochID": hex(header.epochID.bytes),
      "passes": number(header.derivation.passes), "kibibytes": number(header.derivation.kibibytes),
      "salt": hex(header.derivation.salt), "kek": secret(kek), "dataKey": secret(payload.dataKey),
      "earlierKeys": .list(
        payload.earlierKeys.map {
          .object([("epoch", number($0.epoch)), ("dataKey", secret($0.dataKey))])
        }),
      "recoverySalt": payload.recovery.map { hex($0.salt) },
      "recoveryKEK": payload.recovery.map { secret($0.kek) },
    ])
  }

  static func cursors(_ cursors: CursorVector) -> Plain {
    .list(
      cursors.sorted { $0.key < $1.key }.map { device, cursor in
        .object([
          ("device", .text("\(device)")), ("seq", number(cursor.seq)), ("moment", moment(cursor.moment)),
          ("hash", hex(cursor.hash)),
        ])
      })
  }

  static func pruned(_ list: [PrunedPast]) -> Plain {
    .list(list.map { .object([("device", .text("\($0.device)")), ("seq", number($0.seq))]) })
  }

  static func head(_ head: Head) -> Plain {
    members([
      "schemaName": .text(head.schemaName),
      "lastLog": head.lastLog.map {
        .object([("seq", number($0.seq)), ("hash", hex($0.hash.bytes))])
      },
      "snapshot": head.snapshot.map {
        .object([("seq", number($0.seq)), ("parts", number($0.parts)), ("hash", hex($0.hash.bytes))])
      },
      "cursors": cursors(head.cursors), "acknowledged": cursors(head.acknowledged),
      "retired": .list(
        head.retired.map { .object([("device", .text("\($0.device)")), ("time", number($0.time))]) }),
      "pruned": pruned(head.pruned), "appVersion": number(head.appVersion), "format": number(head.format),
      "schemaVersion": number(head.schemaVersion), "deviceName": .text(head.deviceName),
      "epoch": number(head.epoch), "stateDigest": hex(head.stateDigest),
      "floor": head.floor.map {
        .object([
          ("version", number($0.version)), ("stamp", stamp($0.stamp)), ("setter", .text("\($0.setter)")),
        ])
      },
      "movedTo": head.movedTo.map { .text($0) }, "wall": number(head.wall),
    ])
  }

  static func fence(_ fence: Fence) -> Plain {
    var revoked: DeviceID?
    if case .revoke(let device) = fence.purpose { revoked = device }
    return members([
      "epoch": number(fence.epoch), "epochID": hex(fence.epochID.bytes),
      "keyFileHash": hex(fence.keyFileHash.bytes),
      "peers": .list(
        fence.peers.map {
          .object([
            ("device", .text("\($0.device)")), ("seq", number($0.seq)), ("hash", hex($0.hash.bytes)),
          ])
        }),
      "revoked": revoked.map { .text("\($0)") },
    ])
  }

  /// A log without its entries, which belong to the whole run.
  static func log(_ body: LogBody) throws -> Plain {
    members([
      "snapshot": .flag(body.isSnapshot), "cursors": cursors(body.cursors),
      "run": .list([number(body.run.index), number(body.run.count)]),
      "republished": .flag(body.isRepublished),
      "schema": try body.schema.map { .json(try SchemaCoding.decode($0).json) },
      "blocks": number(body.blocks.count),
    ])
  }

  /// What a whole run says to a reader of format 1.
  static func content(_ entries: [Entry], held: [RawBlock]) -> Plain {
    .object([("entries", self.entries(entries)), ("held", .list(held.map { block($0) }))])
  }

  static func block(_ block: RawBlock) -> Plain {
    .object([
      ("layout", number(block.layout)), ("minReader", number(block.minReader)),
      ("barrier", .flag(block.isBarrier)), ("content", hex(block.content)),
    ])
  }

  static func held(_ held: HeldBlock) -> Plain {
    .object([
      ("device", .text("\(held.device)")), ("seq", number(held.seq)), ("block", block(held.block)),
    ])
  }

  static func manifest(_ manifest: SnapshotManifest) throws -> Plain {
    members([
      "cursors": cursors(manifest.cursors), "acknowledged": cursors(manifest.acknowledged),
      "greatestBarrier": number(manifest.greatestBarrier),
      "counts": .object(
        manifest.counts.sorted { $0.key.isBefore($1.key) }.map { ($0.key, number($0.value)) }),
      "schema": try manifest.schema.map { .json(try SchemaCoding.decode($0).json) },
      "stateDigest": hex(manifest.stateDigest), "pruned": pruned(manifest.pruned),
      "heldCount": number(manifest.heldCount),
    ])
  }
}

extension Plain {
  /// A part of a snapshot without its states, which belong to the whole.
  static func part(_ part: SnapshotPart) -> Plain {
    .object([
      ("blocks", number(part.blocks.count)), ("held", number(part.held.count)),
      ("manifest", .flag(part.manifest != nil)),
    ])
  }
}
