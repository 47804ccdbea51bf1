package import TributaryModel

/// What a sync does to a store. Each call is one transaction.
extension StoreCore {
  /// Settles every local edit into the state, stamped with `device`. Everything local is settled before anything
  /// remote is merged.
  package func settle(as device: DeviceID) throws {
    // Without the write lock when there is nothing to do, which is so for most syncs.
    guard try !isSettled else { return }
    while try settleBatch(device) {}
  }

  /// Runs `body` in one transaction of the engine in which every local edit is settled.
  ///
  /// Another process may commit an edit between a ``settle(as:)`` and the transaction that rests on it, most of all while
  /// that one waits for the lock.
  package func settledWrite<T>(as device: DeviceID, _ body: () throws -> T) throws -> T {
    while true {
      try settle(as: device)
      let result = try engineWrite { try isSettled ? Optional(body()) : nil }
      if let result { return result }
    }
  }

  private var isSettled: Bool {
    get throws { try changeLog.lastSeq <= meta.integer(.settled) && drain?.isEmpty() ?? true }
  }

  /// The local edits that no log has carried yet, as entries in the order of names. Local edits must be settled.
  package func unsentEdits(of device: DeviceID) throws -> [Entry] {
    let moment = try meta.moment(.sealedMoment)
    return try unsealedRecords().flatMap { type, ids in
      try Extractor(tables).edits(of: ids, in: type, by: device, after: moment)
    }
  }

  /// Every edit of `device` in the state, with the deletes of those records.
  package func allEdits(of device: DeviceID) throws -> [Entry] {
    let extractor = Extractor(tables)
    var found: [Entry] = []
    try extractor.everything { entries in
      guard let type = entries.first?.name.type else { return }
      found += try extractor.edits(
        of: entries.map(\.name.id), in: type, by: device, after: Moment(raw: 0))
    }
    return found
  }

  /// The records that local edits changed since the last seal: by type, both in order.
  func unsealedRecords() throws -> [(type: String, ids: [RecordID])] {
    var found: [Int64: [RecordID]] = [:]
    try changeLog.forEach(after: meta.integer(.sealed)) { _, changes in
      for change in changes { found[change.type, default: []].append(change.id) }
    }
    return try found.compactMap { type, ids in
      try tables.numbers.name(ofType: type).map { ($0, ids.sortedSet()) }
    }.sorted { $0.type.isBefore($1.type) }
  }

  /// Marks everything that is settled as carried by a sealed log, within the caller's ``settledWrite(as:_:)``.
  package func markSealed() throws {
    let seq = try meta.integer(.settled)
    try meta.set(.sealed, seq)
    if let last = try changeLog.lastMoment { try meta.set(.sealedMoment, last) }
    try changeLog.trim(through: seq)
    try removeNote(.readBefore)
  }

  /// Merges entries that admission let in, within the caller's ``engineWrite(_:)``.
  package func apply(_ entries: [Entry], isConcurrent: @escaping (Stamp, Stamp) -> Bool) throws -> ApplyReport
  {
    var report = ApplyReport()
    try largeBatch(entries.count) {
      try undoTriggers(try Applier(tables, isConcurrent: isConcurrent).apply(entries, &report), entries)
    }
    if let latest = entries.compactMap(\.latestMoment).max(), try meta.moment(.clock) < latest {
      try meta.set(.clock, latest)
    }
    return report
  }

  /// Every record's whole state, parents first.
  package func everything(_ body: ([Entry]) throws -> Void) throws { try Extractor(tables).everything(body) }

  /// Takes over all that the triggers of an adopted store noted, within the caller's transaction.
  func takeNoted() throws {
    guard let drain, try !drain.isEmpty() else { return }
    while try !drain.take(after: meta.latestMoment) {}
  }

  private func settleBatch(_ device: DeviceID) throws -> Bool {
    try engineWrite {
      // Before the first is settled all that was noted is taken over: the prints of rows are compared with it.
      if let drain, try !drain.take(after: meta.latestMoment) { return true }
      var settled = SettledRecords(tables)
      let settler = Settler(tables: tables, device: device, schemaVersion: schema.version)
      // Tables show what the last edit left. So nothing is projected before it is settled: a row that a later edit
      // removed would come back. What another program wrote must be looked at, and is settled as one.
      repeat {
        let rows = try changeLog.read(after: try meta.integer(.settled), limit: 256)
        guard let last = rows.last else { return false }
        try settler.settle(rows.map { ($0.moment, $0.changes) })
        try meta.set(.settled, last.seq)
        if drain != nil { for row in rows { settled.add(row.changes) } }
        if drain == nil, try last.seq < changeLog.lastSeq { return true }
      } while try meta.integer(.settled) < changeLog.lastSeq
      for touched in try settled.batches() {
        try undoTriggers(try Applier(tables).project(try settled.load(touched)))
      }
      if try settled.forgetLost() { try setNote(.rereading, .integer(1)) }
      return true
    }
  }
}

extension [RecordID] {
  /// Each once, in order. A transaction's changes mostly come so.
  fileprivate func sortedSet() -> [RecordID] {
    if indices.dropFirst().allSatisfy({ self[$0 - 1] < self[$0] }) { return self }
    var set: [RecordID] = []
    set.reserveCapacity(count)
    for id in sorted() where set.last != id { set.append(id) }
    return set
  }
}
