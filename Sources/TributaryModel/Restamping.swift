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
    /// Theirs, if it is the same edit.
    func match(_ mine: Stamp?, _ theirs: Stamp?) -> Stamp? {
      guard let mine, let theirs, mine.device == own, mine.moment > sealed, mine.moment == theirs.moment,
        formers.contains(theirs.device)
      else { return nil }
      return theirs
    }
    let named = match(born, change.born) ?? change.lives.lazy.compactMap { match(born, $0) }.first
    let birth = named.flatMap { agrees(with: change, at: $0) ? $0 : nil }
    // What was inserted belongs to its birth, and so do the lives that name it, whatever was edited since.
    func lifted(_ stamp: Stamp) -> Stamp {
      birth.flatMap { stamp == Stamp($0.moment, own) ? $0 : nil } ?? stamp
    }
    let moved = fields.map { field -> Field in
      var field = field.restamped(lifted)
      guard case .register(var register) = field.content, let theirs = change[field.name]?.register,
        register.value == theirs.value, let stamp = match(register.stamp, theirs.stamp)
      else { return field }
      register.stamp = stamp
      field.content = .register(register)
      return field
    }
    let ends = deletes.map { delete -> Delete in
      let theirs = change.deletes.lazy.compactMap { match(delete.stamp, $0.stamp) }.first
      return Delete(stamp: theirs ?? delete.stamp, erases: delete.erases, cause: delete.cause)
    }
    return RecordState(born: birth ?? born, deletes: ends, fields: moved)
  }

  /// The births that values here name as theirs.
  package var lives: [Stamp] { fields.compactMap { $0.register?.life } }

  /// Whether no field of the moment has another value there: two transactions may share a moment by chance, and then
  /// both are kept.
  private func agrees(with change: RecordState, at stamp: Stamp) -> Bool {
    change.fields.allSatisfy { field in
      guard let theirs = field.register, theirs.stamp == stamp, let mine = self[field.name]?.register,
        mine.stamp.moment == stamp.moment
      else { return true }
      return mine.value == theirs.value
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
