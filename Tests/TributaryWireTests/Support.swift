import TestSupport
import Testing
import TributaryCodec
import TributaryModel
import TributaryWire

let ann = DeviceID(high: 0x0102_0304_0506_0708, low: 0x090a_0b0c_0d0e_0f10)
let bob = DeviceID(high: 7, low: 9)
let eve = DeviceID(high: .max, low: 1)

func at(_ milliseconds: Int64, _ counter: UInt16 = 0, _ device: DeviceID = ann) -> Stamp {
  Stamp(Moment(milliseconds: milliseconds, counter: counter), device)
}

func id(_ text: String) -> RecordID { RecordID([.text(text)]) ?? RecordID(encoded: [0x30]) }

/// Expects `body` to fail with a wire error of this code.
func expect(
  _ code: WireError.Code, at location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
  let error = #expect(throws: WireError.self, sourceLocation: location, performing: body)
  #expect(error?.code == code, "\(error?.message ?? "")", sourceLocation: location)
}

/// Whether the body fails with one of our errors, and not with anything else.
func failsTyped(_ body: () throws -> Void) -> Bool {
  do {
    try body()
    return false
  } catch {
    return error is WireError || error is CodecError
  }
}

func hexText(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

func decoded(_ blocks: [EncodedBlock], format: UInt32 = 1) throws -> RunContent {
  try RunReader.reread(blocks.map(\.raw), format: format)
}

func encoded(_ entries: [Entry]) throws -> [EncodedBlock] {
  try BlockEncoder.encode(entries.map { WireEntry($0) })
}
