import SQLite
import TributaryModel

/// The persistent triggers in plain SQL by which an adopted table's edits are noted, whoever makes them.
///
/// They see what SQLite does to rows: cascades and the app's own triggers fire them too. Only a row that REPLACE removes
/// because of another unique value fires nothing, so a trigger before the insert or update notes the rows in its way.
struct AdoptionTriggers {
  static let prefix = "\(LocalTables.prefix)adopt_"
  static func isName(_ name: String) -> Bool { name.hasPrefix(prefix) }
  let shape: TableShape
  private let edits: EditTable

  init(_ shape: TableShape) {
    self.shape = shape
    edits = EditTable(shape)
  }

  /// Every trigger of the table, by name.
  var creations: [(name: String, sql: String)] {
    var all = [insert, update, rekey, delete]
    if !shape.unique.isEmpty { all += [replaceByInsert, replaceByUpdate] }
    return all.map { trigger in
      let name = "\(Self.prefix)\(shape.type)_\(trigger.name)"
      return (
        name,
        "CREATE TRIGGER \(name) \(trigger.event) ON \(quoted(shape.name)) WHEN \(trigger.when) BEGIN \(trigger.body) END"
      )
    }
  }

  private typealias Trigger = (name: String, event: String, when: String, body: String)

  /// The engine's own writes are not edits: a row stands here while it writes.
  private static let gate = "NOT EXISTS(SELECT 1 FROM \(AdoptionTables.gate))"
  private static let now = "CAST(round((julianday('now')-2440587.5)*86400000.0) AS INTEGER)"

  private var insert: Trigger {
    ("insert", "AFTER INSERT", Self.gate, note(.inserted, "NEW"))
  }

  private var delete: Trigger {
    ("delete", "AFTER DELETE", Self.gate, noteGone(.deleted, "OLD"))
  }

  private var rekey: Trigger {
    (
      "rekey", "AFTER UPDATE", "NOT(\(hasSameKey)) AND \(Self.gate)",
      noteGone(.deleted, "OLD") + " " + note(.inserted, "NEW")
    )
  }

  private var update: Trigger {
    let masks = (0..<edits.maskCount).map { "(\(mask($0))) AS m\($0)" }
    let names = edits.maskCount == 0 ? [] : (0..<edits.maskCount).map { "m\($0)" }
    let columns = (["time", "op"] + keyNames + names).joined(separator: ",")
    let values = ([Self.now, "\(EditTable.Operation.updated.rawValue)"] + keys("NEW") + names).joined(
      separator: ",")
    let body =
      names.isEmpty
      ? "SELECT 1;"
      : "INSERT INTO \(edits.name)(\(columns)) SELECT \(values) FROM (SELECT \(masks.joined(separator: ","))) "
        + "WHERE \(names.map { "\($0)<>0" }.joined(separator: " OR "));"
    return ("update", "AFTER UPDATE", "\(hasSameKey) AND \(Self.gate)", body)
  }

  private var replaceByInsert: Trigger {
    let bodies = shape.unique.map { noteDisplaced($0, where: []) }
    return ("replace", "BEFORE INSERT", Self.gate, bodies.joined(separator: " "))
  }

  private var replaceByUpdate: Trigger {
    let bodies = shape.unique.map { set in
      let changes = set.columns.map { "OLD.\(quoted($0)) IS NOT NEW.\(quoted($0))" }.joined(separator: " OR ")
      let other = shape.key.map { "\(quoted($0.name)) IS OLD.\(quoted($0.name)) COLLATE BINARY" }
      return noteDisplaced(set, where: ["(\(changes))", "NOT(\(other.joined(separator: " AND ")))"])
    }
    return ("displace", "BEFORE UPDATE", Self.gate, bodies.joined(separator: " "))
  }
}

extension AdoptionTriggers {
  private var keyNames: [String] { shape.key.indices.map { "k\($0)" } }
  private var imageNames: [String] { shape.fields.map { "f\($0.field)" } }

  private func keys(_ row: String) -> [String] { shape.key.map { "\(row).\(quoted($0.name))" } }

  /// Keys are compared byte by byte, since a record's identity is.
  private var hasSameKey: String {
    shape.key.map { "OLD.\(quoted($0.name)) IS NEW.\(quoted($0.name)) COLLATE BINARY" }.joined(
      separator: " AND ")
  }

  private func note(_ operation: EditTable.Operation, _ row: String) -> String {
    let columns = (["time", "op"] + keyNames).joined(separator: ",")
    let values = ([Self.now, "\(operation.rawValue)"] + keys(row)).joined(separator: ",")
    return "INSERT INTO \(edits.name)(\(columns)) VALUES(\(values));"
  }

  private func noteGone(_ operation: EditTable.Operation, _ row: String) -> String {
    let columns = (["time", "op"] + keyNames + imageNames).joined(separator: ",")
    let image = shape.fields.map { "\(row).\(quoted($0.name))" }
    let values = ([Self.now, "\(operation.rawValue)"] + keys(row) + image).joined(separator: ",")
    return "INSERT INTO \(edits.name)(\(columns)) VALUES(\(values));"
  }

  private func noteDisplaced(_ set: TableShape.UniqueSet, where conditions: [String]) -> String {
    let columns = (["time", "op"] + keyNames + imageNames).joined(separator: ",")
    let row = (shape.key.map(\.name) + shape.fields.map(\.name)).map(quoted)
    let values = ([Self.now, "\(EditTable.Operation.displaced.rawValue)"] + row).joined(separator: ",")
    let same = zip(set.columns, set.collations).map {
      "\(quoted($0))=NEW.\(quoted($0)) COLLATE \(quoted($1))"
    }
    return "INSERT INTO \(edits.name)(\(columns)) SELECT \(values) FROM \(quoted(shape.name)) "
      + "WHERE \((conditions + same).joined(separator: " AND "));"
  }

  /// The changed fields of one column of the mask, as bits. Values are compared with their kinds: 1 is not 1.0.
  private func mask(_ word: Int) -> String {
    let bits = shape.fields.filter { $0.field / EditTable.maskBits == word }.map { field in
      let name = quoted(field.name)
      var test = "OLD.\(name) IS NOT NEW.\(name) COLLATE BINARY"
      if field.mixesNumbers {
        test = "(\(test) OR typeof(OLD.\(name))<>typeof(NEW.\(name)))"
      } else {
        test = "(\(test))"
      }
      return "\(test)<<\(field.field % EditTable.maskBits)"
    }
    return bits.isEmpty ? "0" : bits.map { "(\($0))" }.joined(separator: "|")
  }
}
