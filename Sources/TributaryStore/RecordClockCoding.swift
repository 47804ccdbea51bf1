import TributaryCodec
import TributaryModel

/// Record clocks as bytes. Devices are local numbers, times count from 2020.
///
/// ```
/// flags       1 born   2 born is the first run's stamp   4 deletes   8 runs carry versions and lives
/// [born]      stamp, when 1 and not 2
/// count       of runs (varint)
/// run         words of the mask (count, then varints), stamp, [schemaVersion, 0 or 1, life]
/// [deletes]   count, then: stamp, 1 erases + 2 cause, [type length, type, id length, id]
/// stamp       milliseconds (zigzag), counter, device number
/// ```
struct RecordClockCoding {
  let numbers: LocalNumbers

  private enum Flag {
    static let born: UInt8 = 1
    static let bornIsFirst: UInt8 = 2
    static let deletes: UInt8 = 4
    static let rich: UInt8 = 8
  }

  private static let epoch: Int64 = 1_577_836_800_000

  func encode(_ clock: RecordClock) throws -> [UInt8] {
    var out = ByteWriter(capacity: 24)
    let isRich = clock.runs.contains { $0.schemaVersion != 1 || $0.life != nil }
    let bornIsFirst = clock.born != nil && clock.born == clock.runs.first?.stamp
    var flags: UInt8 = isRich ? Flag.rich : 0
    if clock.born != nil { flags |= Flag.born }
    if bornIsFirst { flags |= Flag.bornIsFirst }
    if !clock.deletes.isEmpty { flags |= Flag.deletes }
    out.write(u8: flags)
    if let born = clock.born, !bornIsFirst { try write(born, &out) }
    out.write(varint: UInt64(clock.runs.count))
    for run in clock.runs { try write(run, isRich, &out) }
    if !clock.deletes.isEmpty { try write(clock.deletes, &out) }
    return out.bytes
  }

  func decode(_ bytes: [UInt8]) throws -> RecordClock {
    var input = ByteReader(bytes)
    let flags = try input.readU8()
    var born: Stamp? = nil
    if flags & Flag.born != 0, flags & Flag.bornIsFirst == 0 { born = try readStamp(&input) }
    let count = try input.readVarint()
    guard count <= 65_536 else { throw Self.damaged }
    var runs: [RecordClock.Run] = []
    for _ in 0..<count { runs.append(try readRun(flags & Flag.rich != 0, &input)) }
    if flags & Flag.bornIsFirst != 0 { born = runs.first?.stamp }
    let deletes = flags & Flag.deletes != 0 ? try readDeletes(&input) : []
    try input.finish()
    return RecordClock(born: born, runs: runs, deletes: deletes)
  }

  private static var damaged: StoreError {
    StoreError(
      .damaged,
      "A record's stamps cannot be read. Restore the database from a backup, or attach a new one: the remote holds "
        + "what was sent.")
  }

  private func write(_ stamp: Stamp, _ out: inout ByteWriter) throws {
    out.write(zigzag: stamp.moment.milliseconds - Self.epoch)
    out.write(varint: UInt64(stamp.moment.counter))
    out.write(varint: UInt64(bitPattern: try numbers.device(stamp.device)))
  }

  private func readStamp(_ input: inout ByteReader) throws -> Stamp {
    let milliseconds = try input.readZigzag() &+ Self.epoch
    let counter = try input.readVarint()
    let number = Int64(bitPattern: try input.readVarint())
    guard counter <= UInt64(UInt16.max), let device = try numbers.device(numbered: number) else {
      throw Self.damaged
    }
    return Stamp(Moment(milliseconds: milliseconds, counter: UInt16(counter)), device)
  }

  private func write(_ run: RecordClock.Run, _ isRich: Bool, _ out: inout ByteWriter) throws {
    let words = run.fields.words
    out.write(varint: UInt64(words.count))
    for word in words { out.write(varint: word) }
    try write(run.stamp, &out)
    guard isRich else { return }
    out.write(varint: UInt64(run.schemaVersion))
    out.write(u8: run.life == nil ? 0 : 1)
    if let life = run.life { try write(life, &out) }
  }

  private func readRun(_ isRich: Bool, _ input: inout ByteReader) throws -> RecordClock.Run {
    let count = try input.readVarint()
    guard count <= 64 else { throw Self.damaged }
    var words: [UInt64] = []
    for _ in 0..<count { words.append(try input.readVarint()) }
    var run = RecordClock.Run(
      fields: FieldMask(words: words), stamp: try readStamp(&input), schemaVersion: 1, life: nil)
    guard isRich else { return run }
    run.schemaVersion = UInt32(truncatingIfNeeded: try input.readVarint())
    if try input.readU8() == 1 { run.life = try readStamp(&input) }
    return run
  }

  private func write(_ deletes: [Delete], _ out: inout ByteWriter) throws {
    out.write(varint: UInt64(deletes.count))
    for delete in deletes {
      try write(delete.stamp, &out)
      out.write(u8: (delete.erases ? 1 : 0) | (delete.cause == nil ? 0 : 2))
      guard let cause = delete.cause else { continue }
      out.write(varint: UInt64(cause.type.utf8.count))
      out.write(bytes: Array(cause.type.utf8))
      out.write(varint: UInt64(cause.id.bytes.count))
      out.write(bytes: cause.id.bytes)
    }
  }

  private func readDeletes(_ input: inout ByteReader) throws -> [Delete] {
    let count = try input.readVarint()
    guard count <= UInt64(input.remaining) else { throw Self.damaged }
    var deletes: [Delete] = []
    for _ in 0..<count {
      let stamp = try readStamp(&input)
      let flags = try input.readU8()
      let cause = flags & 2 != 0 ? try readName(&input) : nil
      deletes.append(Delete(stamp: stamp, erases: flags & 1 != 0, cause: cause))
    }
    return deletes
  }

  private func readName(_ input: inout ByteReader) throws -> RecordName {
    let type = String(decoding: try input.readBytes(try length(&input)), as: UTF8.self)
    return RecordName(type, RecordID(encoded: try input.readBytes(try length(&input))))
  }

  private func length(_ input: inout ByteReader) throws -> Int {
    let length = try input.readVarint()
    guard length <= UInt64(input.remaining) else { throw Self.damaged }
    return Int(length)
  }
}
