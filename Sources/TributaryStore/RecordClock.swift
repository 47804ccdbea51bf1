import TributaryModel

/// The stamps of one record without its values: what the clock table keeps for every record.
///
/// Counters and sets are not here; they are kept whole in the overlay.
struct RecordClock: Hashable {
  /// Fields that share a stamp and what goes with it.
  struct Run: Hashable {
    var fields: FieldMask
    var stamp: Stamp
    var schemaVersion: UInt32
    var life: Stamp?
  }

  var born: Stamp?
  /// Disjoint, in the order of their first field.
  var runs: [Run]
  var deletes: [Delete]

  /// The clock of a state, its fields numbered by `number`.
  init(_ state: RecordState, number: (String) throws -> Int) rethrows {
    born = state.born
    deletes = state.deletes
    runs = []
    for field in state.fields {
      guard let register = field.register else { continue }
      add(register, try number(field.name))
    }
    runs.sort { $0.fields.lowest < $1.fields.lowest }
  }

  init(born: Stamp?, runs: [Run], deletes: [Delete]) {
    self.born = born
    self.runs = runs
    self.deletes = deletes
  }

  /// The run that a field is in.
  func run(of field: Int) -> Run? { runs.first { $0.fields.contains(field) } }

  /// Sets the stamp of a field in place of the one that it has.
  mutating func set(_ register: Register, _ field: Int) {
    for index in runs.indices { runs[index].fields.subtract(FieldMask([field])) }
    runs.removeAll { $0.fields.isEmpty }
    add(register, field)
    runs.sort { $0.fields.lowest < $1.fields.lowest }
  }

  private mutating func add(_ register: Register, _ field: Int) {
    let index = runs.firstIndex {
      $0.stamp == register.stamp && $0.schemaVersion == register.schemaVersion && $0.life == register.life
    }
    if let index { return runs[index].fields.insert(field) }
    runs.append(
      Run(
        fields: FieldMask([field]), stamp: register.stamp, schemaVersion: register.schemaVersion,
        life: register.life))
  }
}

extension FieldMask {
  /// The first number in the set; `Int.max` when it is empty.
  var lowest: Int {
    for (index, word) in words.enumerated() where word != 0 { return index * 64 + word.trailingZeroBitCount }
    return .max
  }
}
