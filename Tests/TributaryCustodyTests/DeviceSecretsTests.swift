import Testing
import TributaryModel

@testable import TributaryCustody

@Suite struct Secrets {
  static func sample() -> DeviceSecrets {
    var secrets = DeviceSecrets(
      deviceID: DeviceID(high: 1, low: 2), installNonce: .init(repeating: 3, count: 8),
      localSecret: .init(repeating: 4, count: 32),
      marks: StoreMarks(sealedSeq: 77, databaseNonce: .init(repeating: 5, count: 16)))
    for epoch in [3, 1, 2] as [UInt32] {
      secrets.passwordKeys[epoch] = PasswordKey(
        key: .init(repeating: UInt8(epoch), count: 32), epochID: .init(repeating: 6, count: 16),
        salt: .init(repeating: 7, count: 16), passes: 3, memoryKiB: 65_536)
      secrets.dataKeys[epoch] = .init(repeating: UInt8(epoch) + 10, count: 32)
      let pin = DeviceSecrets.Pin(device: DeviceID(high: 9, low: UInt64(epoch)), epoch: epoch)
      secrets.pins[pin] = .init(repeating: 8, count: 32)
    }
    secrets.marks.pendingNonce = .init(repeating: 9, count: 16)
    secrets.marks.location = DatabaseLocation(path: "/home/ä/app.db", inode: .max, volume: 66)
    secrets.remoteIdentity = "folder:/media/stick"
    secrets.extra = ["b": [1], "a": [], "é": [2, 3]]
    return secrets
  }

  @Test func everythingComesBack() throws {
    let secrets = Self.sample()
    #expect(try DeviceSecrets(decoding: secrets.encoded()) == secrets)
  }

  @Test func theSmallestSecretsComeBackToo() throws {
    let secrets = DeviceSecrets(
      deviceID: DeviceID(high: 0, low: 0), installNonce: .init(repeating: 0, count: 8),
      localSecret: .init(repeating: 0, count: 32),
      marks: StoreMarks(databaseNonce: .init(repeating: 0, count: 16)))
    #expect(try DeviceSecrets(decoding: secrets.encoded()) == secrets)
  }

  @Test func theEncodingDoesNotDependOnTheOrderOfMaps() throws {
    let first = try Self.sample().encoded()
    for _ in 0..<20 {
      var other = Self.sample()
      for (key, value) in other.extra.shuffled() {
        other.extra[key] = nil
        other.extra[key] = value
      }
      other.pins = Dictionary(uniqueKeysWithValues: other.pins.shuffled())
      #expect(try other.encoded() == first)
    }
  }

  @Test func cutSecretsAreATypedErrorOrLackWholeFields() throws {
    let bytes = try Self.sample().encoded()
    for count in 0..<bytes.count {
      do {
        let partial = try DeviceSecrets(decoding: Array(bytes.prefix(count)))
        // A cut between fields reads as fewer fields; the store's checksum finds that.
        #expect(partial != Self.sample())
      } catch { #expect((error as? CustodyError)?.code == .damaged) }
    }
  }

  @Test func noFlippedByteCrashes() throws {
    let bytes = try Self.sample().encoded()
    for index in bytes.indices {
      for bit in [0, 7] {
        var flipped = bytes
        flipped[index] ^= 1 << bit
        do { _ = try DeviceSecrets(decoding: flipped) } catch { #expect(error is CustodyError) }
      }
    }
  }

  @Test func fieldsOfANewerBuildAreKept() throws {
    let bytes = try Self.sample().encoded() + [200, 0, 0, 0, 2, 42, 43]
    let secrets = try DeviceSecrets(decoding: bytes)
    #expect(secrets.unknownFields == [200: [42, 43]])
    #expect(try secrets.encoded() == bytes)
  }

  @Test func anotherVersionIsRefused() throws {
    var bytes = try Self.sample().encoded()
    bytes[9] = 2
    let error = #expect(throws: CustodyError.self) { try DeviceSecrets(decoding: bytes) }
    #expect(error?.code == .tooNew)
  }

  @Test func tooManyBytesAreRefused() {
    let bytes = [UInt8](repeating: 0, count: DeviceSecrets.sizeLimit + 1)
    let error = #expect(throws: CustodyError.self) { try DeviceSecrets(decoding: bytes) }
    #expect(error?.code == .tooLarge)
  }

  @Test func aKeyOfAWrongLengthIsNotWritten() {
    var secrets = Self.sample()
    secrets.dataKeys[1] = [1]
    #expect(throws: CustodyError.self) { try secrets.encoded() }
  }

  @Test func secretsDoNotShowThemselves() {
    let secrets = Self.sample()
    var dumped = ""
    dump(secrets, to: &dumped)
    for text in ["\(secrets)", String(reflecting: secrets), dumped, "\(Array(secrets.passwordKeys.values))"] {
      #expect(!text.contains("4, 4") && !text.contains("3, 3") && !text.contains("[1]"))
    }
  }
}
