import Foundation
import Testing
import TributaryCodec
import TributaryModel
import TributaryRemotes
import TributaryWire

/// Files of format 1 as they were written when it was frozen: every later build reads them as that one did.
@Suite struct GoldenWireFiles {
  static let folder: FixtureFolder = FixtureFolder.version1.folder("wire")

  /// Argon2 is slow, so one reader serves all.
  static let reader: Result<WireReader, any Error> = Result {
    try WireReader(folder, password: WireFixture.password)
  }

  @Test func everyFileSaysWhatItSaidWhenItWasWritten() throws {
    var reader = try Self.reader.get()
    let said = try reader.readAll()
    let expected = try Self.folder.paths(under: "expected/")
    #expect(said.keys.sorted() == expected)
    for path in expected { #expect(said[path] == (try Self.folder.text(path)), "\(path)") }
  }

  @Test func everyFileOnTheRemoteHasANameOfOurs() throws {
    #expect(
      try Self.reader.get().names.map(\.path).sorted() == (try Self.folder.paths(under: "sync/")))
  }

  @Test func theRecoveryKeyOpensItsSlot() throws {
    let secrets = try JSONDecoder().decode(
      [String: String].self, from: Data(try Self.folder.bytes("secrets.json")))
    #expect(secrets["password"] == WireFixture.password)
    let key = try RecoveryKey(parsing: try #require(secrets["recoveryKey"]))
    let file = try KeyFile(parsing: try Self.folder.bytes(RemoteName.key(ann, epoch: 2).path))
    let payload = try file.open(recoveryKey: key, directory: ann)
    let known = try #require(try Self.reader.get().keys[ann]?[2])
    #expect(payload.dataKey.matches(known))
    #expect(throws: CodecError.self) {
      try file.open(recoveryKey: try RecoveryKey(random: SystemRandom()), directory: ann)
    }
  }

  @Test func passwordsAreHashedAsTheyWere() throws {
    let data = Data(try Self.folder.bytes("passwords.json"))
    let known = try JSONDecoder().decode([[String: String]].self, from: data)
    #expect(known.count == 4)
    for pair in known {
      let hashed = try Plain.password(try #require(pair["typed"]))
      #expect(hashed.line == "\"\(pair["hashed"] ?? "")\"")
    }
  }

  @Test func aFileOfSeveralChunksIsAmongThem() throws {
    #expect(try Self.folder.bytes(RemoteName.log(bob, seq: 1).path).count > 136 + 65_536 + 17)
  }

  @Test func hashesLinkTheFiles() throws {
    let reader = try Self.reader.get()
    for device in [ann, bob] {
      var last = Digest.zero
      let head = try Head(decoding: try reader.open(.head(device)).body)
      let log = try #require(head.lastLog)
      for seq in 1...log.seq {
        let opened = try reader.open(.log(device, seq: seq))
        try SealedFile.checkChain(opened.header, follows: last)
        last = opened.hash
      }
      #expect(last == log.hash)
      guard let snapshot = head.snapshot else { continue }
      #expect(snapshot.parts >= 3)
      for part in 0..<UInt16(snapshot.parts) {
        let opened = try reader.open(.snapshot(device, seq: snapshot.seq, part: part))
        try SealedFile.checkChain(opened.header, follows: last)
        last = opened.hash
      }
      #expect(last == snapshot.hash)
    }
  }

  /// Bodies with what this build does not know are not among them: it passes that over, and cannot write it.
  @Test func bodiesAreWrittenAgainAsTheyWere() throws {
    let reader = try Self.reader.get()
    var different: [String] = []
    for name in reader.names {
      if case .key = name { continue }
      let body = try reader.open(name).body
      let again: [UInt8] =
        switch name {
        case .head: try Head(decoding: body).encode().bytes
        case .fence: try Fence(decoding: body).encode().bytes
        case .log: try LogBody(decoding: body).encode().bytes
        case .snapshot: try SnapshotPart(decoding: body).encode().bytes
        case .key: []
        }
      if again != body { different.append(name.path) }
    }
    let later = [RemoteName.head(bob).path, RemoteName.log(ann, seq: 10).path].sorted()
    #expect(different.sorted() == later)
  }

  @Test func blocksAreWrittenAgainAsTheyWere() throws {
    let reader = try Self.reader.get()
    var count = 0
    for name in reader.names {
      let blocks: [EncodedBlock]
      switch name {
      case .log(ann, 10): continue
      case .log: blocks = try LogBody(decoding: try reader.open(name).body).blocks
      case .snapshot: blocks = try SnapshotPart(decoding: try reader.open(name).body).blocks
      default: continue
      }
      for block in blocks {
        guard case .entries(let rows) = try BlockDecoder.decode(block.raw, format: 1) else { continue }
        #expect(try BlockEncoder.encode(rows).map(\.raw) == [block.raw], "\(name)")
        count += 1
      }
    }
    #expect(count == 28)
  }

  @Test func aLaterBuildReadsWhatThisOneHolds() throws {
    let body = try LogBody(decoding: try Self.reader.get().open(.log(ann, seq: 9)).body)
    let read = try RunReader.reread(body.blocks.map(\.raw), format: 2)
    #expect(read.opaque.count == 3)
    #expect(read.entries.contains { $0.minReader == 2 && $0.change == Samples.insert.change })
  }

  @Test func theDigestOfTheStateIsWhatItWas() throws {
    let reader = try Self.reader.get()
    var (snapshot, digest) = (SnapshotReader(format: 1), StateDigest())
    for name in reader.names {
      guard case .snapshot = name else { continue }
      let part = try SnapshotPart(decoding: try reader.open(name).body)
      for entry in try snapshot.read(part).content.entries { try digest.add(entry) }
    }
    #expect(try snapshot.finish().stateDigest == digest.bytes)
  }
}
