import Synchronization
import Testing
import TributaryModel

@testable import TributaryCodec

/// A password hash that costs nothing and counts how often it ran.
final class CountingHash: PasswordHash {
  private let runs = Mutex(0)

  var count: Int { runs.withLock { $0 } }

  func derive(password: Secret, salt: [UInt8], passes: Int, kibibytes: Int) throws -> Secret {
    runs.withLock { $0 += 1 }
    let text = password.withBytes { Array($0) }
    let digest = Hash.digest(salt + [UInt8(passes)] + text)
    return try Secret(digest.bytes)
  }
}

/// The bytes of a hexadecimal string; spaces are ignored.
func hex(_ text: String) -> [UInt8] {
  let digits = text.filter { $0 != " " }.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// Expects `body` to fail with exactly this code.
func expect(
  _ code: CodecError.Code, _ note: String = "", at location: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  let error = #expect(throws: CodecError.self, "\(note)", sourceLocation: location, performing: body)
  #expect(error?.code == code, "\(note) \(error?.message ?? "")", sourceLocation: location)
}

let deviceA = DeviceID(high: 0x0102_0304_0506_0708, low: 0x090a_0b0c_0d0e_0f10)
let deviceB = DeviceID(high: 7, low: 9)
