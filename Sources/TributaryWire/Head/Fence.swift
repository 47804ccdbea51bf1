package import TributaryCodec
package import TributaryModel

/// A password change, sealed under the old key.
package struct Fence: Hashable, Sendable {
  /// Why the keys change.
  package enum Purpose: Hashable, Sendable {
    /// A new password.
    case rotate
    /// A device is shut out: what it wrote past its place in `peers` is held.
    case revoke(DeviceID)
  }

  /// Where a peer's logs stood.
  package struct Peer: Hashable, Sendable {
    package var device: DeviceID
    package var seq: UInt64
    package var hash: Digest

    /// A peer's place.
    package init(device: DeviceID, seq: UInt64, hash: Digest) {
      self.device = device
      self.seq = seq
      self.hash = hash
    }
  }

  /// The new epoch's number.
  package var epoch: UInt32
  /// The new epoch's name: of two with one number, the greater holds.
  package var epochID: EpochID
  /// The hash of the writer's new key file.
  package var keyFileHash: Digest
  /// In the order of devices.
  package var peers: [Peer]
  package var purpose: Purpose

  /// A fence.
  package init(epoch: UInt32, epochID: EpochID, keyFileHash: Digest, peers: [Peer], purpose: Purpose) {
    self.epoch = epoch
    self.epochID = epochID
    self.keyFileHash = keyFileHash
    self.peers = peers.sorted { $0.device < $1.device }
    self.purpose = purpose
  }

  /// The body's bytes.
  package func encode() throws -> EncodedBody {
    var map = MapWriter()
    map.put(1, uint: UInt64(epoch))
    map.put(2, bytes: epochID.bytes)
    map.put(3, bytes: keyFileHash.bytes)
    map.put(4, list: peers) { output, peer in
      output.write(array: 3)
      output.write(bytes: peer.device.bytes)
      output.write(uint: peer.seq)
      output.write(bytes: peer.hash.bytes)
    }
    if case .revoke(let device) = purpose { map.put(5, bytes: device.bytes) }
    return EncodedBody(map.bytes)
  }

  /// The body of an opened fence.
  package init(decoding bytes: [UInt8]) throws {
    var (epoch, id, hash): (UInt32?, EpochID?, Digest?)
    var peers: [Peer] = []
    var purpose = Purpose.rotate
    try CBORReader.readWhole(bytes) { key, reader in
      switch key {
      case 1: epoch = try reader.readUInt32()
      case 2: id = EpochID(bytes: try reader.readExactly(EpochID.size))
      case 3: hash = try reader.readDigest()
      case 4: peers = try reader.readList(limit: WireLimit.peers, Self.readPeer)
      case 5: purpose = .revoke(try reader.readDevice())
      default: return false
      }
      return true
    }
    guard let epoch, let id, let hash else {
      throw WireError(.missing, "A fence lacks its epoch or the hash of its key file. Fetch it again.")
    }
    self.init(epoch: epoch, epochID: id, keyFileHash: hash, peers: peers, purpose: purpose)
  }

  private static func readPeer(_ reader: inout CBORReader) throws -> Peer {
    try reader.readTuple(least: 3) { reader, _ in
      let (device, seq) = (try reader.readDevice(), try reader.readSeq())
      return (Peer(device: device, seq: seq, hash: try reader.readDigest()), 3)
    }
  }
}
