import SQLite
import TributaryModel

/// The clock table and the overlay, row by row.
extension StateCheck {
  /// Reads every block of clocks and every clock in it.
  func checkClocks() throws {
    let statement = try connection.prepare("SELECT type,lo,data FROM main.tributary_clock ORDER BY type,lo")
    var before: (type: Int64, key: [UInt8])?
    while try statement.step() {
      let block = ClockBlock(
        type: statement.integer(0), lo: Array(statement.bytes(1)), data: Array(statement.bytes(2)))
      do {
        if let before, before.type == block.type, ByteOrder.compare(before.key, block.lo) >= 0 {
          throw block.damaged("the block before it reaches into it")
        }
        before = (block.type, try walk(block))
      } catch {
        unreadable.insert(block.type)
        try find(clock(block.type, try explain(error), remedy: StateFinding.restore))
      }
      try count()
    }
  }

  /// Decodes every clock of a block; the last key.
  private func walk(_ block: ClockBlock) throws -> [UInt8] {
    guard try tables.numbers.name(ofType: block.type) != nil else {
      throw block.damaged("there is no such record type")
    }
    let names = try tables.numbers.names(of: block.type).count
    let keyCount = tables.access(block.type)?.shape.key.count
    var reader = try ClockBlockReader(block)
    var place = 0..<0
    while try reader.next() {
      let id = RecordID(encoded: reader.key)
      guard let values = id.values, values.count == keyCount ?? values.count else {
        throw block.damaged("the identity of a record is not one of the table's")
      }
      // Records that share a clock share its bytes.
      if place == reader.clock { continue }
      place = reader.clock
      let clock = try tables.clockCoding.decode(Array(block.data[place]))
      guard !clock.runs.isEmpty || clock.born != nil || !clock.deletes.isEmpty else {
        throw block.damaged("a record has no stamp at all")
      }
      guard clock.runs.allSatisfy({ $0.fields.allSatisfy { $0 < names } }) else {
        throw block.damaged("a stamp belongs to a field that there is not")
      }
    }
    return reader.key
  }

  private func clock(_ type: Int64, _ message: String, remedy: String) throws -> StateFinding {
    StateFinding(.clock, table: try tables.numbers.name(ofType: type), message, remedy: remedy)
  }

  /// Reads every overlay: it must belong to a record, and say something that the table does not.
  func checkOverlays() throws {
    let statement = try connection.prepare(
      "SELECT type,id,flags,data FROM main.tributary_overlay ORDER BY type,id")
    while try statement.step() {
      let (type, id) = (statement.integer(0), RecordID(encoded: Array(statement.bytes(1))))
      do {
        let overlay = try OverlayCoding.decode(Array(statement.bytes(3)), flags: statement.integer(2))
        if let flaw = try flaw(of: overlay, type, id) { throw StoreError(.damaged, flaw) }
      } catch {
        let message = "What is kept beside the table: \(try explain(error))"
        guard let access = tables.access(type) else {
          try find(StateFinding(.overlay, message, remedy: StateFinding.restore))
          continue
        }
        if !(error is StoreError) || (try? tables.overlay(type, id)) == nil { unreadable.insert(type) }
        try find(StateFinding(.overlay, access.shape, id, message, remedy: StateFinding.restore))
      }
      try count()
    }
  }

  private func flaw(of overlay: Overlay, _ type: Int64, _ id: RecordID) throws -> String? {
    guard try tables.numbers.name(ofType: type) != nil else {
      return "It is of a record type that there is not."
    }
    guard overlay.flags.rawValue & ~15 == 0 else { return "It has flags that this build does not know." }
    guard !overlay.isEmpty else { return "It says nothing." }
    if try isUnsettled(type, id) || unreadable.contains(type) { return nil }
    guard try tables.clocks.read(type: type, ids: [id])[0] != nil else { return "It is of no record." }
    guard let access = tables.access(type), overlay.flags.isDisjoint(with: [.unseen, .parked]),
      id.values?.count == access.shape.key.count, let row = try access.read(id, connection)
    else { return nil }
    let twice = access.columns.indices.first { overlay.values[access.columns[$0].field] == row[$0] }
    return twice.map { "The value of \(access.columns[$0].name) is the one that the table shows." }
  }
}
