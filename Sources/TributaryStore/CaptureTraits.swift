import CSQLite
import SQLite
import TributaryModel

/// How this build of SQLite hands out rows in its preupdate hook. Builds differ, so it is tried and not looked up.
struct CaptureTraits: Sendable {
  /// Columns of rowid tables are counted without virtual ones, and so are new values of an update. Such builds
  /// also look for the kind of a stored number in the wrong column, as soon as the two ways of counting differ.
  var countsStorage = false
  /// Old rows that are shorter than the table read NULL instead of the default.
  var ignoresDefaults = false

  /// Tries it on a database in memory.
  static func probe() throws -> CaptureTraits {
    let connection = try Connection.open(":memory:")
    defer { connection.close() }
    try connection.execute(
      """
      CREATE TABLE probe(a, virtual AS (a) VIRTUAL, b);
      INSERT INTO probe(a, b) VALUES (1, 2);
      ALTER TABLE probe ADD COLUMN c NOT NULL DEFAULT 3;
      """)
    var traits = CaptureTraits()
    try withUnsafeMutablePointer(to: &traits) { found in
      try connection.setPreupdateHook(observe, found)
      try connection.execute("DELETE FROM probe")
      try connection.setPreupdateHook(nil, nil)
    }
    return traits
  }

  private static let observe: PreupdateFunction = { context, database, _, _, _, _, _ in
    guard let traits = context?.assumingMemoryBound(to: CaptureTraits.self) else { return }
    var value: OpaquePointer?
    let isStorage =
      sqlite3_preupdate_old(database, 1, &value) == SQLITE_OK && sqlite3_value_int64(value) == 2
    traits.pointee.countsStorage = isStorage
    let code = sqlite3_preupdate_old(database, isStorage ? 2 : 3, &value)
    traits.pointee.ignoresDefaults = code != SQLITE_OK || sqlite3_value_type(value) == SQLITE_NULL
  }
}

/// What SQLite makes of numbers in a column, by its declared type.
///
/// Source: "Datatypes In SQLite", section 3.1.
enum CaptureAffinity {
  /// Whole numbers are stored as integers but read as reals.
  case real
  /// Whole reals become integers.
  case integral
  /// Integers and reals both stay what they are, or neither is stored.
  case other

  init(declaredType: String, isStrict: Bool) {
    let type = declaredType.uppercased()
    let holds = { (part: String) in type.contains(part) }
    if holds("INT") {
      self = .integral
    } else if holds("CHAR") || holds("CLOB") || holds("TEXT") || holds("BLOB") || type.isEmpty {
      self = .other
    } else if holds("REAL") || holds("FLOA") || holds("DOUB") {
      self = .real
    } else {
      self = isStrict ? .other : .integral
    }
  }
}
