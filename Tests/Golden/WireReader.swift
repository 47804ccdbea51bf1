import TributaryCodec
import TributaryModel
import TributaryRemotes
import TributaryWire

/// Reads the files of `wire` with nothing but the password, as a device does.
struct WireReader {
  let folder: FixtureFolder
  let names: [RemoteName]
  private(set) var keys: [DeviceID: [UInt32: Secret]] = [:]
  private(set) var said: [String: String] = [:]

  init(_ folder: FixtureFolder, password: String) throws {
    self.folder = folder
    names = try folder.paths(under: "sync/").compactMap(RemoteName.init(path:)).sorted()
    let password = try Password.normalize(password)
    var keks: [KeyDerivation: Secret] = [:]
    for name in names {
      guard case .key(let device, let epoch) = name else { continue }
      let file = try KeyFile(parsing: try folder.bytes(name.path))
      let derivation = file.header.derivation
      let kek = try keks[derivation] ?? derivation.derive(password: password, using: Argon2id())
      keks[derivation] = kek
      let payload = try file.open(kek: kek, directory: device)
      keys[device, default: [:]][epoch] = payload.dataKey
      for earlier in payload.earlierKeys where keys[device]?[earlier.epoch] == nil {
        keys[device]?[earlier.epoch] = earlier.dataKey
      }
      say(device, name.fileName, .keyFile(file.header, payload, kek: kek))
    }
  }

  func open(_ name: RemoteName) throws -> SealedFile.Opened {
    let place: FilePlace =
      switch name {
      case .head(let device): .head(device)
      case .fence(let device, let epoch): .fence(device, epoch: epoch)
      case .log(let device, let seq): .log(device, seq)
      case .snapshot(let device, let seq, let part): .snapshot(device, seq, part: part)
      case .key: throw CodecError(.parameters, "A key file is not sealed as others are.")
      }
    let bytes = try folder.bytes(name.path)
    let header = try SealedFile.peek(bytes, at: place)
    guard let key = keys[name.device]?[header.epoch] else {
      throw CodecError(.wrongKey, "No key of epoch \(header.epoch).")
    }
    return try SealedFile.open(bytes, at: place, dataKey: key)
  }

  /// What every file says, by the paths of the files that say what they must say.
  mutating func readAll() throws -> [String: String] {
    var run: (first: RemoteName, bodies: [LogBody])?
    var reader: (first: RemoteName, reader: SnapshotReader, states: [Entry], held: [HeldBlock])?
    for name in names {
      if case .key = name { continue }
      let opened = try open(name)
      var body: (String, Plain)
      switch name {
      case .head: body = ("head", .head(try Head(decoding: opened.body)))
      case .fence: body = ("fence", .fence(try Fence(decoding: opened.body)))
      case .log(let device, _):
        let log = try LogBody(decoding: opened.body)
        body = ("log", try .log(log))
        if log.isSnapshot { break }
        let current = (run?.first ?? name, (run?.bodies ?? []) + [log])
        run = log.run.index + 1 == log.run.count ? nil : current
        if run == nil { try sayRun(current.0, current.1, by: device) }
      case .snapshot:
        let part = try SnapshotPart(decoding: opened.body)
        body = ("part", .part(part))
        var current = reader ?? (name, SnapshotReader(format: 1), [], [])
        let (content, held) = try current.reader.read(part)
        current.states += content.entries
        current.held += held
        reader = part.manifest == nil ? current : nil
        if reader == nil { try saySnapshot(current) }
      case .key: continue
      }
      say(name.device, name.fileName, .object([("header", .header(opened.header)), body]))
    }
    return said
  }

  private mutating func say(_ device: DeviceID, _ name: String, _ says: Plain) {
    said["expected/\(device)/\(name).json"] = says.file
  }

  private mutating func sayRun(_ first: RemoteName, _ bodies: [LogBody], by device: DeviceID) throws {
    let content = try RunReader.assemble(bodies, format: 1)
    try LogRules.check(content.entries, by: device, isRepublished: bodies[0].isRepublished)
    // The decoder raises a held block's minReader where its writer should have; the file's own is compared.
    let held = try bodies.flatMap(\.blocks).map(\.raw).filter { raw in
      if case .opaque = try BlockDecoder.decode(raw, format: 1) { true } else { false }
    }
    say(device, "run-\(first.fileName)", .content(content.entries, held: held))
  }

  private mutating func saySnapshot(
    _ read: (first: RemoteName, reader: SnapshotReader, states: [Entry], held: [HeldBlock])
  ) throws {
    say(
      read.first.device, "whole-\(read.first.fileName)",
      .object([
        ("manifest", try .manifest(try read.reader.finish())), ("states", .entries(read.states)),
        ("held", .list(read.held.map { .held($0) })),
      ]))
  }
}
