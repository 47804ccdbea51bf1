import TributaryCodec
import TributaryModel
import TributaryRemotes
import TributaryWire

/// Why one file is not what it should be.
struct FileProblem: Error {
  let severity: FileFinding.Severity
  let message: String
  let remedy: String
  /// Whether it is only that the key is not here.
  var isLocked = false

  init(_ severity: FileFinding.Severity, _ message: String, remedy: String) {
    self.severity = severity
    self.message = message
    self.remedy = remedy
  }

  static func locked(_ epoch: UInt32) -> FileProblem {
    var problem = FileProblem(
      .unread, "It is sealed under a key of epoch \(epoch), which is not here.", remedy: "")
    problem.isLocked = true
    return problem
  }

  static let restore =
    "Restore it from a backup, or from the older versions that the folder's software keeps."

  /// What reading, opening or decoding a file threw. Errors of the remote itself go on.
  init(explaining error: any Error) throws {
    switch error {
    case let problem as FileProblem: self = problem
    case let error as CodecError where error.code == .unsupportedVersion:
      self.init(.unread, error.message, remedy: "Check again with a newer build.")
    case let error as CodecError: self.init(.damage, error.message, remedy: Self.restore)
    case let error as WireError: self.init(.damage, error.message, remedy: Self.restore)
    case let error as RemoteError where error.code == .tooLarge || error.code == .wrongKind:
      self.init(.damage, error.message, remedy: error.remedy.isEmpty ? Self.restore : error.remedy)
    default: throw error
    }
  }
}

/// Reads files of one device, each once.
struct FileReader {
  let remote: any Remote
  /// The device's data keys by epoch.
  var keys: [UInt32: Secret] = [:]

  /// A file's bytes; nil if it is not there.
  func bytes(_ name: RemoteName) throws -> [UInt8]? {
    switch try remote.read(name) {
    case .bytes(let bytes, _): return bytes
    case .absent, .notModified: return nil
    case .notDownloaded:
      throw FileProblem(
        .unread, "Its bytes are not on this machine yet.", remedy: "Let the folder's software download it.")
    case .listedButRefused(let reason):
      throw FileProblem(.damage, "It cannot be read: \(reason).", remedy: "Move away what stands there.")
    }
  }

  /// Opens a sealed file under the key of the epoch that it names.
  func open(_ bytes: [UInt8], at place: FilePlace) throws -> SealedFile.Opened {
    let epoch = try SealedFile.peek(bytes, at: place).epoch
    guard let key = keys[epoch] else {
      throw FileProblem.locked(epoch)
    }
    return try SealedFile.open(bytes, at: place, dataKey: key)
  }
}

/// What blocks hold, as far as this build reads it.
enum BlockContent {
  /// The entries, without values that stand in pieces elsewhere.
  static func entries(_ blocks: [EncodedBlock], format: UInt32) throws -> [Entry] {
    var budget = WireBudget()
    return try blocks.flatMap { block -> [Entry] in
      guard case .entries(let rows) = try BlockDecoder.decode(block.raw, format: format, budget: &budget)
      else { return [] }
      return rows.map(whole)
    }
  }

  private static func whole(_ row: WireEntry) -> Entry {
    guard !row.pieces.isEmpty else { return row.entry }
    var entry = row.entry
    let kept = entry.change.fields.enumerated().filter { row.pieces[$0.offset] == nil }.map(\.element)
    entry.change = RecordState(born: entry.change.born, deletes: entry.change.deletes, fields: kept)
    return entry
  }
}
