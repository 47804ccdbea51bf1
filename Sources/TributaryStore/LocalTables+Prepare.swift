package import SQLite
import TributaryModel

extension LocalTables {
  private static let formatKey = "format"

  /// Makes the engine's tables if they are missing, within the caller's transaction.
  ///
  /// - Throws: ``StoreError``: `.tooNew` for tables of a newer build, `.damaged` for tables without a version,
  ///   `.schema` if the database has other tables whose names are the engine's.
  package static func prepare(_ connection: Connection) throws {
    guard try connection.table(prefix + "meta") != nil else { return try create(connection) }
    let format = try connection.integer(
      "SELECT value FROM tributary_meta WHERE key = ?1", [.text(formatKey)])
    guard let format, format >= 1 else {
      throw StoreError(
        .damaged, "The store does not say in which format it is. Restore it from a copy or another device.")
    }
    guard format <= adoptedVersion else {
      throw StoreError(
        .tooNew,
        "The store is in format \(format), and this build reads up to \(adoptedVersion). Update the app to open it."
      )
    }
  }

  private static func create(_ connection: Connection) throws {
    let foreign = try connection.value(
      "SELECT name FROM sqlite_master WHERE name LIKE 'tributary\\_%' ESCAPE '\\' ORDER BY name")
    if let name = foreign?.string {
      throw StoreError(
        .schema,
        "The database has “\(name)”, but names that begin with “\(prefix)” are the engine's. Rename it.")
    }
    try connection.execute(creation)
    try connection.execute(
      "INSERT INTO tributary_meta(key, value) VALUES(?1, ?2)", [.text(formatKey), .integer(version)])
  }
}
