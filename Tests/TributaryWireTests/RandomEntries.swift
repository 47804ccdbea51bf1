import TestSupport
import TributaryModel

/// Entries of every shape: inserts, edits, states after many joins, deletes with causes, all kinds of fields.
struct RandomEntries {
  var random: Splitmix
  private let devices = [ann, bob, eve, DeviceID(high: 1, low: 1)]

  init(_ random: inout Splitmix) { self.random = Splitmix(seed: random.next()) }

  mutating func entries(_ count: Int) -> [Entry] {
    var byName: [RecordName: Entry] = [:]
    for _ in 0..<count {
      let entry = entry()
      if !entry.change.isEmpty { byName[entry.name] = entry }
    }
    return byName.values.sorted { $0.name < $1.name }
  }

  mutating func entry() -> Entry {
    Entry(
      RecordName(["a", "item", "list"][random.below(3)], key()), state(),
      minReader: random.chance(10) ? 0 : 1, isBarrier: random.chance(5))
  }

  mutating func state() -> RecordState {
    var fields: [Field] = []
    for name in ["body", "n", "title", "z\u{e9}"] where random.chance(60) {
      fields.append(Field(name, register()))
    }
    if random.chance(20) { fields.append(Field("count", .counter(counter()))) }
    if random.chance(20) { fields.append(Field("tags", .set(set()))) }
    if random.chance(5) { fields.append(Field("n2", .set(set()))) }
    var state = RecordState(born: random.chance(60) ? stamp() : nil, fields: fields)
    if random.chance(25) {
      for _ in 0..<1 + random.below(3) { state.join(RecordState(deletes: [delete()])) }
    }
    return state
  }

  mutating func value() -> Value {
    switch random.below(9) {
    case 0: return .null
    case 1: return .integer(Int64(bitPattern: random.next()))
    case 2: return .integer(Int64(random.below(300)) - 150)
    case 3: return .real(Double(random.below(1000)) / 7)
    case 4: return .real([-0.0, .infinity, -.infinity, .leastNonzeroMagnitude, 1][random.below(5)])
    case 5: return .blob(random.bytes(random.below(40)))
    case 6: return .text(random.bytes(random.below(6)))
    default: return .text(random.letters(random.below(50)))
    }
  }

  private mutating func key() -> RecordID {
    let values: [Value] =
      random.chance(50)
      ? [.integer(Int64(random.below(5000)))]
      : [.text(random.letters(1 + random.below(20))), .integer(Int64(random.below(9)))]
    return RecordID(values) ?? RecordID(encoded: [0x30])
  }

  mutating func stamp() -> Stamp {
    let time = random.chance(90) ? 1_700_000_000_000 + Int64(random.below(3)) : Int64(random.below(1 << 40))
    return Stamp(
      Moment(milliseconds: time, counter: UInt16(random.below(random.chance(90) ? 3 : 65_536))),
      devices[random.below(random.chance(80) ? 1 : 4)])
  }

  private mutating func register() -> Register {
    let stamp = stamp()
    return Register(
      stamp: stamp, value: value(), schemaVersion: random.chance(80) ? 1 : UInt32(random.below(70_000)),
      life: random.chance(20) ? min(stamp, self.stamp()) : nil)
  }

  private mutating func counter() -> Counter {
    var base: Register?
    if random.chance(70) {
      base = register()
      base?.value = .integer(Int64(random.below(99)))
    }
    let totals = (0..<random.below(4)).map { number in
      Counter.Total(
        device: devices[number], stamp: stamp(), base: base?.stamp ?? stamp(), life: base?.life,
        sum: Int64(bitPattern: random.next()))
    }
    return Counter(base: base, totals: totals)
  }

  private mutating func set() -> ElementSet {
    let marks = (0..<random.below(5)).map { _ in
      ElementSet.Mark(
        value: value(), device: devices[random.below(4)], added: random.chance(80) ? stamp().moment : nil,
        removed: random.chance(30) ? stamp().moment : nil)
    }
    return ElementSet(
      marks: marks.filter { $0.added != nil || $0.removed != nil }, stamp: stamp(),
      schemaVersion: UInt32(1 + random.below(2)))
  }

  private mutating func delete() -> Delete {
    Delete(
      stamp: stamp(), erases: random.chance(20),
      cause: random.chance(30) ? RecordName(["item", "parent"][random.below(2)], key()) : nil)
  }
}
