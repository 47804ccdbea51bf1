import SQLite
import TributaryModel

/// Records as they are with the local edits that no sync has settled yet. It reads only.
///
/// Everything runs within one transaction of the connection of its tables.
struct EditedRecords {
  typealias Changes = [(Moment, LocalChange)]

  let tables: StateTables
  private let changeLog: ChangeLog
  private let settler: Settler
  private var own: DeviceID { settler.device }
  private let settled: Int64

  /// - Parameter own: the device that local edits are stamped with.
  init(_ tables: StateTables, own: DeviceID, schemaVersion: UInt32) throws {
    self.tables = tables
    changeLog = ChangeLog(tables.connection)
    settler = Settler(tables: tables, device: own, schemaVersion: schemaVersion)
    settled = try Meta(connection: tables.connection).integer(.settled)
  }

  /// One record with its unsettled edits; nil if nothing was ever known of it.
  func record(_ access: RowAccess, _ id: RecordID) throws -> (record: StoredRecord, unsettled: Set<Stamp>)? {
    let name = ProjectionNode.Name(type: access.shape.type, id: id)
    let changes = try changes { $0 == name }[name] ?? []
    let record = try load(access, [id]) { _ in changes }[0]
    return record.state.isEmpty ? nil : (record, stamps(changes))
  }

  /// The stamps that the next sync gives to changes.
  func stamps(_ changes: Changes) -> Set<Stamp> { Set(changes.map { Stamp($0.0, own) }) }

  /// The given records, which are sorted and different from each other.
  func load(
    _ access: RowAccess, _ ids: [RecordID], _ changes: (RecordID) -> Changes
  ) throws -> [StoredRecord] {
    let type = access.shape.type
    let packed = try tables.clocks.read(type: type, ids: ids)
    let names = try tables.numbers.names(of: type)
    return try ids.indices.map { index in
      let (id, changes) = (ids[index], changes(ids[index]))
      if packed[index] == nil, changes.isEmpty { return StoredRecord(id: id) }
      var clock =
        try packed[index].map(tables.clockCoding.decode) ?? RecordClock(born: nil, runs: [], deletes: [])
      var overlay = try packed[index].flatMap { _ in try tables.overlay(type, id) } ?? Overlay()
      settler.settle(changes, access.shape, &clock, &overlay)
      return try tables.assemble(access, id, clock, overlay, names, tables.connection)
    }
  }

  /// The unsettled changes of the records that are wanted, oldest first.
  func changes(
    of isWanted: (ProjectionNode.Name) throws -> Bool
  ) throws -> [ProjectionNode.Name: Changes] {
    var found: [ProjectionNode.Name: Changes] = [:]
    try forEachChange { moment, change in
      if try isWanted(change.name) { found[change.name, default: []].append((moment, change)) }
    }
    return found
  }

  /// Goes through the unsettled changes, a piece at a time.
  func forEachChange(_ body: (Moment, LocalChange) throws -> Void) throws {
    try changeLog.forEach(after: settled) { moment, changes in
      for change in changes { try body(moment, change) }
    }
  }
}
