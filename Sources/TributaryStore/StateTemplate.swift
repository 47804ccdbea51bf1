import TributaryModel

/// The state of records that share one clock and show all of it, but for their values. Neighbouring records mostly do.
struct StateTemplate {
  private struct Place {
    let name: String
    /// Where the row has the value.
    let column: Int
    let run: RecordClock.Run
  }

  /// The clock as it is stored.
  let bytes: [UInt8]
  private let clock: RecordClock
  /// In the order of names.
  private let places: [Place]

  init(_ bytes: [UInt8], _ clock: RecordClock, _ access: RowAccess, _ names: [String]) {
    self.bytes = bytes
    self.clock = clock
    var places: [Place] = []
    for run in clock.runs {
      for number in run.fields where number < names.count {
        guard let column = access.columns.firstIndex(where: { $0.field == number }) else { continue }
        places.append(Place(name: names[number], column: column, run: run))
      }
    }
    self.places = places.sorted { $0.name.isBefore($1.name) }
  }

  /// The state of the record with this row; one without a row has lost its values.
  func state(of row: [Value]?) -> RecordState {
    guard let row else { return RecordState(born: clock.born, deletes: clock.deletes) }
    var fields: [Field] = []
    fields.reserveCapacity(places.count)
    for place in places {
      let run = place.run
      fields.append(
        Field(
          place.name,
          Register(
            stamp: run.stamp, value: row[place.column], schemaVersion: run.schemaVersion, life: run.life)))
    }
    return RecordState(born: clock.born, deletes: clock.deletes, fields: fields)
  }
}
