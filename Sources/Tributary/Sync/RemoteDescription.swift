package import TributaryCodec
import TributaryCustody
package import TributaryModel
package import TributaryRemotes
import TributaryWire

/// What a remote's devices say of their tables, for one that has no database yet.
package struct RemoteDescription {
  private let remote: any Remote
  /// The data keys of the devices.
  private let keys: [DeviceID: Secret]

  /// The description that the most devices' tables fit: the latest version, and of that the one with most columns.
  ///
  /// - Throws: ``SyncError``: `.nothingThere`, `.wrongPassword`, `.unreadable`; the remote's errors.
  package static func read(
    _ remote: any Remote, password: Secret, _ passwordHash: any PasswordHash
  ) throws -> Schema {
    let found = try SyncEngine.keyFiles(remote)
    let key = try SyncEngine.matchingKey(found, password, passwordHash)
    let kek = try Secret(key.key)
    var keys: [DeviceID: Secret] = [:]
    // A key file that does not open is another's affair: whoever syncs is told of it.
    for file in found {
      keys[file.header.device] = try? file.open(kek: kek, directory: file.header.device).dataKey
    }
    let description = RemoteDescription(remote: remote, keys: keys)
    let schemas = try keys.keys.sorted().compactMap { try description.schema(of: $0) }
    guard let best = schemas.max(by: { size($0) < size($1) }) else {
      throw SyncError(
        .unreadable,
        "No device has described its tables on the remote yet. Sync one of them first, and let the files arrive."
      )
    }
    return best
  }

  private static func size(_ schema: Schema) -> (UInt32, Int, Int) {
    (schema.version, schema.tables.reduce(0) { $0 + $1.columns.count }, schema.omitted.count)
  }

  /// The latest description of one device: of its snapshot, or of a log after that.
  private func schema(of device: DeviceID) throws -> Schema? {
    guard let bytes = try bytes(.head(device)), let key = keys[device],
      let head = KnownHead(opening: bytes, of: device, key)?.head
    else { return nil }
    var newest: [UInt8]?
    var seq: UInt64 = 0
    if let snapshot = head.snapshot, let last = UInt16(exactly: snapshot.parts - min(1, snapshot.parts)) {
      seq = snapshot.seq
      newest = try open(.snapshot(device, seq: seq, part: last), .snapshot(device, seq, part: last), key) {
        try SnapshotPart(decoding: $0).manifest?.schema
      }
    }
    while seq < head.lastLog?.seq ?? 0 {
      seq += 1
      newest =
        try open(.log(device, seq: seq), .log(device, seq), key) { try LogBody(decoding: $0).schema }
        ?? newest
    }
    guard let newest, let schema = try? SchemaCoding.decode(newest), schema.name == head.schemaName else {
      return nil
    }
    return schema
  }

  /// What `read` makes of a file; nil if the file is not there or does not open.
  private func open(
    _ name: RemoteName, _ place: FilePlace, _ key: Secret, _ read: ([UInt8]) throws -> [UInt8]?
  ) throws -> [UInt8]? {
    guard let bytes = try bytes(name), let opened = try? SealedFile.open(bytes, at: place, dataKey: key)
    else {
      return nil
    }
    return try? read(opened.body)
  }

  private func bytes(_ name: RemoteName) throws -> [UInt8]? {
    if case .bytes(let bytes, _) = try remote.read(name) { bytes } else { nil }
  }
}
