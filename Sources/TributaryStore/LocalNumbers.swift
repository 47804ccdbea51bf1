package import SQLite
package import TributaryModel

/// The numbers that stand for record types, fields and devices in this store, lasting for it.
///
/// They are read once and kept in memory. When a transaction in which numbers were made is rolled back, call
/// ``forget()``. Belongs to its connection and is used where that is used.
package final class LocalNumbers {
  private struct Fields {
    var names: [String] = []
    var numbers: [String: Int] = [:]
  }

  private let connection: Connection
  private var types: [String: Int64] = [:]
  private var typeNames: [Int64: String] = [:]
  private var fields: [Int64: Fields] = [:]
  private var devices: [DeviceID: Int64] = [:]
  private var deviceIDs: [Int64: DeviceID] = [:]

  /// Numbers over the connection's tables; these may still be missing.
  package init(_ connection: Connection) { self.connection = connection }

  /// Clears what is kept in memory, so that it is read anew.
  package func forget() {
    types = [:]
    typeNames = [:]
    fields = [:]
    devices = [:]
    deviceIDs = [:]
  }

  /// The record type's number, made if it has none.
  package func type(named name: String) throws -> Int64 {
    if let type = try knownType(named: name) { return type }
    try connection.execute("INSERT INTO tributary_type(name) VALUES(?1)", [.text(name)])
    return keep(type: connection.lastInsertedRowID, name)
  }

  /// The record type's number; nil if it has none.
  package func knownType(named name: String) throws -> Int64? {
    if let type = types[name] { return type }
    return try connection.integer("SELECT id FROM tributary_type WHERE name = ?1", [.text(name)])
      .map { keep(type: $0, name) }
  }

  /// The record type with this number; nil if there is none.
  package func name(ofType type: Int64) throws -> String? {
    if let name = typeNames[type] { return name }
    let name = try connection.value("SELECT name FROM tributary_type WHERE id = ?1", [.integer(type)])?.string
    if let name { keep(type: type, name) }
    return name
  }

  /// The field's number within its type, counted from 0 without gaps; made if it has none.
  package func field(type: Int64, named name: String) throws -> Int {
    var known = try loaded(type)
    if let field = known.numbers[name] { return field }
    let field = known.names.count
    try connection.execute(
      "INSERT INTO tributary_field(type, field, name) VALUES(?1, ?2, ?3)",
      [.integer(type), .integer(Int64(field)), .text(name)])
    known.names.append(name)
    known.numbers[name] = field
    fields[type] = known
    return field
  }

  /// The names of a type's fields, each at the place of its number; fields that this build does not declare as well.
  package func names(of type: Int64) throws -> [String] { try loaded(type).names }

  /// The device's number, from 1; made if it has none.
  package func device(_ device: DeviceID) throws -> Int64 {
    if let number = devices[device] { return number }
    let bytes = [Value.blob(device.bytes)]
    if let number = try connection.integer("SELECT id FROM tributary_device WHERE device = ?1", bytes) {
      return keep(device: number, device)
    }
    try connection.execute("INSERT INTO tributary_device(device) VALUES(?1)", bytes)
    return keep(device: connection.lastInsertedRowID, device)
  }

  /// The device with this number; nil if there is none.
  package func device(numbered number: Int64) throws -> DeviceID? {
    if let device = deviceIDs[number] { return device }
    let value = try connection.value("SELECT device FROM tributary_device WHERE id = ?1", [.integer(number)])
    guard let value else { return nil }
    guard case .blob(let bytes) = value, let device = DeviceID(bytes: bytes) else {
      throw StoreError(
        .damaged, "Device \(number) has no valid id in the store. Restore it from a copy or another device.")
    }
    keep(device: number, device)
    return device
  }

  private func loaded(_ type: Int64) throws -> Fields {
    if let known = fields[type] { return known }
    var known = Fields()
    let rows = try connection.rows(
      "SELECT field, name FROM tributary_field WHERE type = ?1 ORDER BY field", [.integer(type)])
    for (index, row) in rows.enumerated() {
      guard row[0].integer == Int64(index), let name = row[1].string else {
        throw StoreError(
          .damaged,
          "The fields of type \(type) are not numbered without gaps. Restore the store from a copy or another device."
        )
      }
      known.names.append(name)
      known.numbers[name] = index
    }
    fields[type] = known
    return known
  }

  @discardableResult
  private func keep(type: Int64, _ name: String) -> Int64 {
    types[name] = type
    typeNames[type] = name
    return type
  }

  @discardableResult
  private func keep(device number: Int64, _ device: DeviceID) -> Int64 {
    devices[device] = number
    deviceIDs[number] = device
    return number
  }
}

@available(*, unavailable)
extension LocalNumbers: Sendable {}
