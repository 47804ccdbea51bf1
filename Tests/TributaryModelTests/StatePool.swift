import TestSupport
import TributaryModel

/// The parts that random states are joined from: one edit each, the content a function of the stamp, few moments and
/// three devices, so that ties between devices are common.
struct StatePool {
  private(set) var parts: [RecordState] = []
  private var random: Splitmix
  private let isContradictory: Bool
  private var bases: [(stamp: Stamp, life: Stamp?)] = []

  static let devices = (1...3).map { DeviceID(high: 7, low: UInt64($0)) }

  /// - Parameter isContradictory: lets one stamp have several contents, as when two devices share an id.
  init(_ random: inout Splitmix, count: Int, isContradictory: Bool = false) {
    self.random = Splitmix(seed: random.next())
    self.isContradictory = isContradictory
    for _ in 0..<count { parts.append(part()) }
  }

  private mutating func part() -> RecordState {
    switch random.below(8) {
    case 0: return RecordState(born: stamp())
    case 1, 2: return RecordState(deletes: [delete()])
    case 3: return RecordState(fields: [Field(["a", "b"][random.below(2)], register())])
    case 4: return RecordState(fields: [Field("c", .counter(base()))])
    case 5: return RecordState(fields: [Field("c", .counter(total()))])
    case 6: return RecordState(fields: [Field("s", .set(set()))])
    default:
      // A field whose kind builds disagree about.
      return RecordState(fields: [Field(random.chance(50) ? "a" : "c", .set(set()))])
    }
  }

  private mutating func stamp(below bound: Int = 12) -> Stamp {
    Stamp(Moment(raw: UInt64(1 + random.below(bound))), Self.devices[random.below(3)])
  }

  private mutating func content(of stamp: Stamp, _ salt: UInt64) -> Int {
    isContradictory
      ? random.below(3) : Int((stamp.moment.raw &* 31 &+ stamp.device.low &* 7 &+ salt) % 5)
  }

  private mutating func life(of stamp: Stamp) -> Stamp? {
    let back = UInt64(content(of: stamp, 3))
    guard back < stamp.moment.raw, back > 0 else { return nil }
    return Stamp(Moment(raw: stamp.moment.raw - back), Self.devices[Int(back) % 3])
  }

  private mutating func delete() -> Delete {
    let stamp = stamp()
    let cause = RecordID([.integer(Int64(content(of: stamp, 1)))]).map { RecordName("parent", $0) }
    return Delete(
      stamp: stamp, erases: content(of: stamp, 2) < 2, cause: content(of: stamp, 4) < 2 ? cause : nil)
  }

  private mutating func register() -> Register {
    let stamp = stamp()
    return Register(
      stamp: stamp, value: .integer(Int64(content(of: stamp, 5))),
      schemaVersion: UInt32(1 + content(of: stamp, 6)), life: life(of: stamp))
  }

  private mutating func base() -> Counter {
    let register = register()
    bases.append((register.stamp, register.life))
    return Counter(base: register, totals: [])
  }

  private mutating func total() -> Counter {
    let base = bases.isEmpty || random.chance(30) ? (stamp(below: 6), nil) : bases[random.below(bases.count)]
    let later = Moment(raw: base.0.moment.raw + UInt64(1 + random.below(4)))
    let device = Self.devices[random.below(3)]
    let life = bases.first { $0.stamp == base.0 }.map(\.life) ?? base.1
    let stamp = Stamp(later, device)
    return Counter(
      base: nil,
      totals: [
        .init(device: device, stamp: stamp, base: base.0, life: life, sum: Int64(content(of: stamp, 8)))
      ])
  }

  private mutating func set() -> ElementSet {
    let stamp = stamp()
    var marks: [ElementSet.Mark] = []
    for _ in 0..<random.below(3) {
      let moment = Moment(raw: UInt64(1 + random.below(Int(stamp.moment.raw))))
      let isAdded = random.chance(60)
      marks.append(
        .init(
          value: .integer(Int64(random.below(2))), device: Self.devices[random.below(3)],
          added: isAdded ? moment : nil, removed: isAdded ? nil : moment))
    }
    return ElementSet(marks: marks, stamp: stamp, schemaVersion: 1)
  }
}

extension StatePool {
  /// The join of a random selection of parts.
  static func state(_ random: inout Splitmix, of parts: [RecordState]) -> RecordState {
    var state = RecordState()
    for part in parts.shuffled(using: &random).prefix(random.below(parts.count + 1)) { state.join(part) }
    return state
  }

  /// The join of all parts in a random order and a random grouping.
  static func tree(_ random: inout Splitmix, of parts: [RecordState]) -> RecordState {
    var left = parts.shuffled(using: &random)
    while left.count > 1 {
      let index = random.below(left.count - 1)
      let other = left.remove(at: index + 1)
      left[index] = random.chance(50) ? left[index].joined(other) : other.joined(left[index])
    }
    return left.first ?? RecordState()
  }
}
