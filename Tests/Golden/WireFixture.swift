import TestSupport
import TributaryCodec
import TributaryModel
import TributaryRemotes
import TributaryWire

/// Makes the files of `wire`: what two devices have on a remote, and what each file says.
struct WireFixture {
  static let password = "correct horse battery"
  /// One composed, one decomposed, one with compatibility characters, one that is left as it is.
  private static let passwords = [
    "pa\u{DF}w\u{F6}rter", "pa\u{DF}wo\u{308}rter", "\u{FF30}\u{2460} \u{FB01}sh \u{BD} \u{1F600}",
    " CASE and  blanks ",
  ]
  private static let nonce: UInt64 = 0x0123_4567_89AB_CDEF

  private(set) var files: [String: [UInt8]] = [:]
  private let random = SeededSource(seed: 1)
  private var keys: [DeviceID: [UInt32: Secret]] = [:]
  private var seqs: [DeviceID: UInt64] = [:]
  private var hashes: [DeviceID: Digest] = [:]

  static func make() throws -> [String: [UInt8]] {
    var fixture = WireFixture()
    try fixture.putKeys()
    try fixture.putLogs()
    return fixture.files
  }

  private mutating func put(_ name: RemoteName, _ bytes: [UInt8], _ says: Plain) {
    files[name.path] = bytes
    say(name.device, name.fileName, says)
  }

  private mutating func say(_ device: DeviceID, _ name: String, _ says: Plain) {
    files["expected/\(device)/\(name).json"] = Array(says.file.utf8)
  }

  // MARK: Keys

  private mutating func putKeys() throws {
    let recoveryKey = try RecoveryKey(random: random)
    files["secrets.json"] = Array(
      Plain.object([("password", .text(Self.password)), ("recoveryKey", .text(recoveryKey.text))]).file.utf8)
    files["passwords.json"] = Array(
      Plain.list(try Self.passwords.map { .object([("typed", .text($0)), ("hashed", try .password($0))]) })
        .file.utf8)
    let password = try Password.normalize(Self.password)
    let (old, new) = (try epoch(1), try epoch(2))
    let kek = try old.derivation.derive(password: password, using: Argon2id())
    let newKEK = try new.derivation.derive(password: password, using: Argon2id())
    let first = KeyPayload(dataKey: try Secret(random: random, count: 32))
    try putKey(ann, old, first, kek)
    let second = KeyPayload(
      dataKey: try Secret(random: random, count: 32),
      earlierKeys: [.init(epoch: 1, dataKey: first.dataKey)],
      recovery: try .init(key: recoveryKey, random: random))
    try putKey(ann, new, second, newKEK)
    try putKey(bob, new, KeyPayload(dataKey: try Secret(random: random, count: 32)), newKEK)
  }

  private func epoch(_ number: UInt32) throws -> KeyFileHeader {
    KeyFileHeader(
      device: ann, installNonce: Self.nonce, epoch: number, epochID: try EpochID(random: random),
      derivation: try KeyDerivation(
        passes: KeyDerivation.passesRange.lowerBound, kibibytes: KeyDerivation.kibibytesRange.lowerBound,
        salt: random.bytes(KeyDerivation.saltSize)))
  }

  private mutating func putKey(
    _ device: DeviceID, _ header: KeyFileHeader, _ payload: KeyPayload, _ kek: Secret
  ) throws {
    var header = header
    header.device = device
    keys[device, default: [:]][header.epoch] = payload.dataKey
    let bytes = try KeyFile.seal(header: header, payload: payload, kek: kek, random: random)
    put(.key(device, epoch: header.epoch), bytes, .keyFile(header, payload, kek: kek))
  }

  // MARK: Sealed files

  /// Seals a body and says what its header is.
  private func seal(
    _ body: EncodedBody, at place: FilePlace, epoch: UInt32 = 2, counter: UInt64 = 0, previous: Digest = .zero
  ) throws -> (bytes: [UInt8], header: Plain) {
    guard let key = keys[place.device]?[epoch] else { throw CodecError(.parameters, "No key.") }
    let sealing = Sealing(dataKey: key, installNonce: Self.nonce, epoch: epoch, random: random)
    let bytes = try SealedFile.seal(body, at: place, counter: counter, previous: previous, with: sealing)
    let header = ContainerHeader(
      kind: place.kind, part: place.part, device: place.device, installNonce: Self.nonce,
      seq: place.seq ?? counter, epoch: epoch, previousHash: previous)
    return (bytes, .header(header))
  }

  private mutating func putLog(
    _ body: LogBody, encoded: [UInt8]? = nil, of device: DeviceID = ann, epoch: UInt32 = 2
  ) throws {
    let seq = (seqs[device] ?? 0) + 1
    let encoded = try encoded.map { EncodedBody($0) } ?? body.encode()
    let (bytes, header) = try seal(
      encoded, at: .log(device, seq), epoch: epoch, previous: hashes[device] ?? .zero)
    (seqs[device], hashes[device]) = (seq, Container.fileHash(bytes))
    put(.log(device, seq: seq), bytes, .object([("header", header), ("log", try .log(body))]))
  }

  /// Logs that apply together, and what they say.
  private mutating func putRun(
    _ entries: [Entry], held: [RawBlock] = [], _ template: LogBody = LogBody(), of device: DeviceID = ann,
    limits: FileLimits = FileLimits(), epoch: UInt32 = 2
  ) throws {
    let first = (seqs[device] ?? 0) + 1
    var bodies = try LogWriter.split(entries, template: template, limits: limits)
    if bodies.isEmpty { bodies = [template] }
    bodies[bodies.count - 1].blocks += held.map { EncodedBlock($0) }
    for body in bodies { try putLog(body, of: device, epoch: epoch) }
    sayRun(first, entries.filter { $0.minReader == 1 }, held, of: device)
  }

  private mutating func sayRun(
    _ first: UInt64, _ entries: [Entry], _ held: [RawBlock] = [], of device: DeviceID = ann
  ) {
    let name = RemoteName.log(device, seq: first).fileName
    say(device, "run-\(name)", .content(entries, held: held))
  }

  // MARK: The files in their order

  private mutating func putLogs() throws {
    let hashless = [bob: Cursor(seq: 3, hash: Cursor.start.hash, moment: at(-1).moment)]
    try putRun([Samples.insert], LogBody(cursors: hashless), epoch: 1)
    try putRun(Samples.rich, LogBody(cursors: Self.cursors))
    try putRun(Samples.values)
    try putRun(Samples.numbers)
    try putRun([], LogBody(schema: try SchemaCoding.encode(Samples.schema)))
    try putRun(
      Samples.large, LogBody(cursors: hashless, schema: try SchemaCoding.encode(Samples.schema)),
      limits: FileLimits(plain: 270_000))
    try putRun(Samples.foreign, LogBody(isRepublished: true))
    let laterSeq = (seqs[ann] ?? 0) + 1
    try putRun([Samples.insert], held: try LaterSamples.held)
    let extended = LogBody(
      cursors: [bob: Cursor(seq: 3, hash: digest(2).bytes, moment: at(-1).moment)],
      blocks: [EncodedBlock(try LaterSamples.held[0])])
    try putLog(extended, encoded: LaterSamples.log)
    sayRun(laterSeq + 1, [LaterSamples.entry])
    var barrier = Samples.insert
    barrier.isBarrier = true
    try putRun([barrier])
    barrier.minReader = 2
    let stop = try BlockEncoder.encode([WireEntry(barrier)])[0].raw
    try putRun([], held: [stop])
    try putLog(LogBody(cursors: Self.cursors, isSnapshot: true))
    let snapshot = try putSnapshot(heldSeq: laterSeq)
    try putHeads(snapshot)
    try putFences()
  }

  private static var cursors: CursorVector {
    [
      bob: Cursor(seq: (1 << 53) - 1, hash: digest(2).bytes, moment: at(1).moment),
      eve: Cursor.start,
    ]
  }

  private mutating func putSnapshot(heldSeq: UInt64) throws -> (Head.Snapshot, StateDigest) {
    let states = (Samples.rich + Samples.values + Samples.numbers + Samples.foreign + [Samples.insert])
      .sorted { $0.name < $1.name }
    let held = try LaterSamples.held.map { HeldBlock(device: ann, seq: heldSeq, block: $0) }
    let (seq, hash) = (seqs[ann] ?? 0, hashes[ann] ?? .zero)
    var cursors = Self.cursors
    cursors[ann] = Cursor(seq: seq, hash: hash.bytes, moment: at(70).moment)
    var acknowledged = cursors
    acknowledged[bob] = Cursor(seq: 2, hash: Cursor.start.hash, moment: at(-5).moment)
    var manifest = SnapshotManifest(
      cursors: cursors, acknowledged: acknowledged, greatestBarrier: 2,
      schema: try SchemaCoding.encode(Samples.schema),
      pruned: [PrunedPast(device: eve, seq: 8), PrunedPast(device: bob, seq: 1)])
    var writer = SnapshotWriter(limits: FileLimits(entries: 12))
    var (parts, digest) = ([SnapshotPart](), StateDigest())
    for state in states {
      parts += try writer.add(state)
      try digest.add(state)
      manifest.counts[state.name.type, default: 0] += 1
    }
    for block in held { parts += try writer.add(block) }
    parts += try writer.finish(manifest)
    (manifest.stateDigest, manifest.heldCount) = (digest.bytes, UInt64(held.count))
    var previous = hash
    for (index, part) in parts.enumerated() {
      previous = try put(part, UInt16(index), seq, previous)
    }
    let first = RemoteName.snapshot(ann, seq: seq, part: 0).fileName
    say(
      ann, "whole-\(first)",
      .object([
        ("manifest", try .manifest(manifest)), ("states", .entries(states)),
        ("held", .list(held.map { .held($0) })),
      ]))
    return (Head.Snapshot(seq: seq, parts: UInt32(parts.count), hash: previous), digest)
  }

  private mutating func put(
    _ part: SnapshotPart, _ index: UInt16, _ seq: UInt64, _ previous: Digest
  ) throws -> Digest {
    let (bytes, header) = try seal(
      try part.encode(), at: .snapshot(ann, seq, part: index), previous: previous)
    put(.snapshot(ann, seq: seq, part: index), bytes, .object([("header", header), ("part", .part(part))]))
    return Container.fileHash(bytes)
  }

  private mutating func putHeads(_ snapshot: (place: Head.Snapshot, digest: StateDigest)) throws {
    var head = Samples.head
    head.lastLog = .init(seq: seqs[ann] ?? 0, hash: hashes[ann] ?? .zero)
    head.snapshot = snapshot.place
    head.cursors = Self.cursors
    head.acknowledged = Self.cursors
    head.acknowledged[bob] = Cursor(seq: 2, hash: Cursor.start.hash, moment: at(-5).moment)
    head.stateDigest = snapshot.digest.bytes
    try put(head, of: ann, counter: (1 << 53) - 1, try head.encode())
    let edit = RecordState(fields: [Field("title", Register(stamp: at(80, 0, bob), value: .text("Hello")))])
    try putRun([Entry(Samples.insert.name, edit), Samples.noise], of: bob)
    var other = Head(schemaName: Samples.schema.name, epoch: 2, wall: noon)
    other.lastLog = .init(seq: 1, hash: hashes[bob] ?? .zero)
    try put(other, of: bob, counter: 1, EncodedBody(LaterSamples.head(try other.encode().bytes)))
  }

  private mutating func put(
    _ head: Head, of device: DeviceID, counter: UInt64, _ body: EncodedBody
  ) throws {
    let (bytes, header) = try seal(body, at: .head(device), counter: counter)
    put(.head(device), bytes, .object([("header", header), ("head", .head(head))]))
  }

  private mutating func putFences() throws {
    let keyFile = try KeyFile(parsing: files[RemoteName.key(ann, epoch: 2).path] ?? [])
    let rotation = Fence(
      epoch: 2, epochID: keyFile.header.epochID, keyFileHash: keyFile.hash, peers: [], purpose: .rotate)
    let peers = [
      Fence.Peer(device: bob, seq: 1, hash: hashes[bob] ?? .zero),
      .init(device: ann, seq: seqs[ann] ?? 0, hash: hashes[ann] ?? .zero),
    ]
    let revocation = Fence(
      epoch: 3, epochID: try EpochID(random: random), keyFileHash: digest(5), peers: peers,
      purpose: .revoke(eve))
    for fence in [rotation, revocation] {
      let (bytes, header) = try seal(
        try fence.encode(), at: .fence(ann, epoch: fence.epoch), epoch: fence.epoch - 1)
      put(
        .fence(ann, epoch: fence.epoch), bytes, .object([("header", header), ("fence", .fence(fence))]))
    }
  }
}
