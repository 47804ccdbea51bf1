import TributaryModel

/// Packed clocks of a ``DirectWriter``. Neighbours mostly share their stamps, so the last results are kept.
struct DirectClocks {
  private struct New {
    let born: Stamp
    let version: UInt32
    let bytes: [UInt8]
  }

  private struct Edited {
    let before: [UInt8]
    let winners: [Int]
    let stamp: Stamp
    let version: UInt32
    let bytes: [UInt8]
  }

  private let coding: RecordClockCoding
  private var decoded: (bytes: [UInt8], clock: RecordClock)?
  private var lastNew: New?
  private var lastEdited: Edited?

  init(_ coding: RecordClockCoding) { self.coding = coding }

  /// Forgets results, which hold for one layout of entries.
  mutating func forget() {
    lastNew = nil
    lastEdited = nil
  }

  mutating func decode(_ bytes: [UInt8]) throws -> RecordClock {
    if let decoded, decoded.bytes == bytes { return decoded.clock }
    let clock = try coding.decode(bytes)
    decoded = (bytes, clock)
    return clock
  }

  /// The clock of a record that is nothing but `change`, all of registers.
  mutating func new(_ change: RecordState, _ layout: EntryLayout) throws -> [UInt8] {
    let first = change.fields.first?.register
    let version = first?.schemaVersion ?? 1
    let isPlain = change.fields.allSatisfy {
      $0.register.map { $0.stamp == change.born && $0.life == nil && $0.schemaVersion == version } ?? false
    }
    if isPlain, let lastNew, lastNew.born == change.born, lastNew.version == version { return lastNew.bytes }
    var place = 0
    let clock = RecordClock(change) { _ in
      defer { place += 1 }
      return layout.places[place].number
    }
    let bytes = try coding.encode(clock)
    if isPlain, let born = change.born { lastNew = New(born: born, version: version, bytes: bytes) }
    return bytes
  }

  /// The clock after the winning fields of `change`, none of which belongs to another life, were set.
  mutating func edited(
    _ clock: RecordClock, _ before: [UInt8], _ change: RecordState, _ layout: EntryLayout, _ winners: [Int]
  ) throws -> [UInt8] {
    guard let first = change.fields[winners[0]].register else { return before }
    let isPlain = winners.allSatisfy {
      change.fields[$0].register.map {
        $0.stamp == first.stamp && $0.schemaVersion == first.schemaVersion
      } ?? false
    }
    if isPlain, let last = lastEdited, last.stamp == first.stamp, last.version == first.schemaVersion,
      last.winners == winners, last.before == before
    {
      return last.bytes
    }
    var clock = clock
    for index in winners {
      if let register = change.fields[index].register { clock.set(register, layout.places[index].number) }
    }
    let bytes = try coding.encode(clock)
    if isPlain {
      lastEdited = Edited(
        before: before, winners: winners, stamp: first.stamp, version: first.schemaVersion, bytes: bytes)
    }
    return bytes
  }
}
