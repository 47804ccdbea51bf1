extension RecordState {
  /// The same content under other stamps. A life that names a birth moves with it; what a device added to a counter
  /// stays that device's.
  package func restamped(_ map: (Stamp) -> Stamp) -> RecordState {
    RecordState(
      born: born.map(map),
      deletes: deletes.map { Delete(stamp: map($0.stamp), erases: $0.erases, cause: $0.cause) },
      fields: fields.map { $0.restamped(map) })
  }

  /// This state with those stamps of `own` given back to one of `formers` that `change` shows to be the former's: its
  /// entry carries the same edit, so that edit was sent before. Only stamps after `sealed` were ever moved.
  package func unmoved(by change: RecordState, formers: Set<DeviceID>, own: DeviceID, after sealed: Moment)
    -> RecordState
  {
    var matches: [Moment: DeviceID] = [:]
    var contradicted: Set<Moment> = []
    func compare(_ mine: Stamp?, _ theirs: Stamp?, isSame: Bool = true) {
      guard let mine, let theirs, mine.device == own, mine.moment > sealed, mine.moment == theirs.moment,
        formers.contains(theirs.device)
      else { return }
      if isSame { matches[mine.moment] = theirs.device } else { contradicted.insert(mine.moment) }
    }
    compare(born, change.born)
    for delete in deletes { for other in change.deletes { compare(delete.stamp, other.stamp) } }
    for field in change.fields {
      guard let theirs = field.register, let mine = self[field.name]?.register else { continue }
      compare(mine.stamp, theirs.stamp, isSame: mine.value == theirs.value)
    }
    // Two transactions may share a moment by chance: then the values tell, and both are kept.
    for moment in contradicted { matches[moment] = nil }
    guard !matches.isEmpty else { return self }
    return restamped { stamp in
      guard stamp.device == own, let former = matches[stamp.moment] else { return stamp }
      return Stamp(stamp.moment, former)
    }
  }
}

extension Field {
  fileprivate func restamped(_ map: (Stamp) -> Stamp) -> Field {
    switch content {
    case .register(let register): Field(name, register.restamped(map))
    case .counter(let counter): Field(name, .counter(counter.restamped(map)))
    case .set(let set): Field(name, .set(set.restamped(map)))
    }
  }
}

extension Register {
  fileprivate func restamped(_ map: (Stamp) -> Stamp) -> Register {
    Register(stamp: map(stamp), value: value, schemaVersion: schemaVersion, life: life.map(map))
  }
}

extension Counter {
  fileprivate func restamped(_ map: (Stamp) -> Stamp) -> Counter {
    Counter(
      base: base?.restamped(map),
      totals: totals.map { total in
        let moved = map(total.stamp)
        return Total(
          device: total.device, stamp: moved.device == total.device ? moved : total.stamp,
          base: map(total.base),
          life: total.life.map(map), sum: total.sum)
      })
  }
}

extension ElementSet {
  fileprivate func restamped(_ map: (Stamp) -> Stamp) -> ElementSet {
    let halves = marks.flatMap { mark in
      let added = mark.added.map { map(Stamp($0, mark.device)) }
      let removed = mark.removed.map { map(Stamp($0, mark.device)) }
      return [
        added.map { Mark(value: mark.value, device: $0.device, added: $0.moment, removed: nil) },
        removed.map { Mark(value: mark.value, device: $0.device, added: nil, removed: $0.moment) },
      ].compactMap(\.self)
    }
    return ElementSet(marks: halves, stamp: map(stamp), schemaVersion: schemaVersion)
  }
}
