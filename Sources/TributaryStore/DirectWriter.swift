import SQLite
import TributaryModel

/// Writes the entries of one table straight into it where nothing has to be worked out: new records, and edits of records
/// that show their state by somebody who knew the edit before. All others are left to the ``Projector``.
///
/// It writes what the projector would, several times faster. It may only be used while no record at all is parked or
/// repaired (``isPossible(_:)``): then the tables show every state, and SQLite's own constraints answer for them.
struct DirectWriter {
  private static let chunk = 1_024

  private let tables: StateTables
  private let access: RowAccess
  private let constraints: DirectConstraints
  private let isConcurrent: (_ later: Stamp, _ earlier: Stamp) -> Bool
  private let hasOverlay: Bool
  private var rows: DirectRows
  private var clocks: DirectClocks
  private var written: [(id: RecordID, clock: [UInt8]?)] = []
  private var layout: EntryLayout?
  /// What has to be worked out, in the order in which it came.
  private(set) var left: [Entry] = []
  /// Number of records that were changed.
  private(set) var changed = 0

  init(
    _ tables: StateTables, _ access: RowAccess,
    isConcurrent: @escaping (_ later: Stamp, _ earlier: Stamp) -> Bool
  ) throws {
    self.tables = tables
    self.access = access
    self.isConcurrent = isConcurrent
    constraints = DirectConstraints(tables, access.shape)
    hasOverlay = try tables.hasOverlay(access.shape.type)
    rows = try DirectRows(access, tables.connection)
    clocks = DirectClocks(tables.clockCoding)
  }

  /// Whether no record of any table is parked or repaired.
  static func isPossible(_ connection: Connection) throws -> Bool {
    try connection.integer("SELECT 1 FROM tributary_overlay WHERE flags & 6 LIMIT 1") == nil
  }

  /// Writes what it can of entries in the order of identities.
  mutating func write(_ entries: ArraySlice<Entry>) throws {
    var start = entries.startIndex
    while start < entries.endIndex {
      let end = Swift.min(start + Self.chunk, entries.endIndex)
      // Two entries of one record are joined, and so stay together.
      let border = entries[start..<end].indices.last { $0 == start || !isSameRecord(entries, $0) } ?? end
      let stop = end == entries.endIndex || border == start ? end : border
      try write(chunk: entries[start..<stop])
      start = stop
    }
  }

  /// Whether an entry is of the record of the one before it.
  private func isSameRecord(_ entries: ArraySlice<Entry>, _ index: Int) -> Bool {
    index > entries.startIndex && entries[index - 1].name.id == entries[index].name.id
  }

  private mutating func write(chunk: ArraySlice<Entry>) throws {
    var singles: [Int] = []
    singles.reserveCapacity(chunk.count)
    for index in chunk.indices {
      let isShared =
        isSameRecord(chunk, index) || (index + 1 < chunk.endIndex && isSameRecord(chunk, index + 1))
      if isShared { left.append(chunk[index]) } else { singles.append(index) }
    }
    let known = try tables.clocks.read(type: access.shape.type, ids: singles.map { chunk[$0].name.id })
    written.reserveCapacity(singles.count)
    for (place, index) in singles.enumerated() {
      if try !write(chunk[index], known[place]) { left.append(chunk[index]) }
    }
    changed += written.count
    try tables.clocks.write(type: access.shape.type, written)
    if let prints = tables.prints {
      for (id, _) in written { prints.note(ProjectionNode.Name(type: access.shape.type, id: id)) }
    }
    written.removeAll(keepingCapacity: true)
  }

  /// False if the entry must be worked out, and nothing was written.
  private mutating func write(_ entry: Entry, _ known: [UInt8]?) throws -> Bool {
    let change = entry.change
    guard change.deletes.isEmpty, let layout = layout(of: change.fields) else { return false }
    guard let known else { return try insert(entry, layout) }
    if hasOverlay, try tables.overlay(access.shape.type, entry.name.id) != nil { return false }
    return try update(entry, layout, known)
  }

  private mutating func layout(of fields: [Field]) -> EntryLayout? {
    if let layout, layout.fits(fields) { return layout }
    layout = EntryLayout(fields, access.shape)
    if layout != nil { clocks.forget() }
    return layout
  }
}

// MARK: - New records

extension DirectWriter {
  private mutating func insert(_ entry: Entry, _ layout: EntryLayout) throws -> Bool {
    guard entry.change.born != nil, entry.change.fields.allSatisfy({ $0.register != nil }),
      try constraints.hasParents(of: entry, layout)
    else { return false }
    guard try rows.insert(entry, layout) else { return false }
    written.append((entry.name.id, try clocks.new(entry.change, layout)))
    return true
  }
}

// MARK: - Edits

extension DirectWriter {
  private mutating func update(_ entry: Entry, _ layout: EntryLayout, _ known: [UInt8]) throws -> Bool {
    let change = entry.change
    let clock = try clocks.decode(known)
    guard clock.deletes.isEmpty, clock.born != nil, change.born == nil || change.born == clock.born else {
      return false
    }
    var winners: [Int] = []
    var shown: [Value]?
    for (index, place) in layout.places.enumerated() {
      guard let register = change.fields[index].register else { return false }
      guard let run = clock.run(of: place.number) else {
        winners.append(index)
        continue
      }
      switch Self.outcome(register, run, isConcurrent) {
      case .wins: winners.append(index)
      case .loses: continue
      case .isEqual:
        // One stamp with two contents is a conflict.
        shown = try shown ?? access.read(entry.name.id, tables.connection)
        guard shown?[place.position] == register.value else { return false }
      case .unclear: return false
      }
    }
    if winners.isEmpty { return true }
    guard !winners.contains(where: { constraints.isConstrained(layout.places[$0].position) }) else {
      return false
    }
    guard try rows.update(entry, layout, winners) else { return false }
    written.append((entry.name.id, try clocks.edited(clock, known, change, layout, winners)))
    return true
  }

  private enum Outcome {
    case wins, loses, isEqual, unclear
  }

  /// What becomes of a value beside the one that is there, if that needs no look at either.
  private static func outcome(
    _ theirs: Register, _ mine: RecordClock.Run, _ isConcurrent: (Stamp, Stamp) -> Bool
  ) -> Outcome {
    guard theirs.life == nil, mine.life == nil else { return .unclear }
    if theirs.stamp == mine.stamp { return theirs.schemaVersion == mine.schemaVersion ? .isEqual : .unclear }
    let wins = mine.stamp < theirs.stamp
    if theirs.stamp.device != mine.stamp.device {
      let (earlier, later) = wins ? (mine.stamp, theirs.stamp) : (theirs.stamp, mine.stamp)
      if isConcurrent(later, earlier) { return .unclear }
    }
    return wins ? .wins : .loses
  }
}
