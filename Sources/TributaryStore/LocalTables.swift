/// The engine's own tables in a store. Their layout is a promise: a change is a new version with a reader for the old.
///
/// ```
/// meta        named values: format, clock, marks
/// type        record types, numbered for this store; a name that is not a table here belongs to a newer build
/// field       fields of a type, numbered for this store, kept ones included
/// device      devices, numbered for this store
/// change_log  one row a transaction (or a piece of one): its stamp and its changes, packed; the last row stays
/// clock       stamps of records, packed in blocks of neighbouring identities
/// overlay     values that are not in the table: trash, kept fields, parked and repaired values
/// held        entries kept, not applied yet, with the reason
/// peer        how far each peer was read, and what it says of itself
/// vector      what the writer of each recent log had read
/// outbox      sealed files, frozen before upload, kept until a snapshot covers them
/// conflict    values that lost to a concurrent edit, bounded
/// sync_log    what syncs did, bounded
/// ```
///
/// An adopted store has more: see ``AdoptionTables``.
package enum LocalTables {
  /// The layout's version.
  package static let version: Int64 = 1
  /// The version of a store that is adopted: the same with the tables that adoption adds.
  package static let adoptedVersion: Int64 = 2
  /// Every table of the engine begins so; a table of the app may not.
  package static let prefix = "tributary_"

  /// The names of the tables.
  static let names = Set(
    creation.split(separator: "\n").compactMap { line in
      let words = line.split { $0 == " " || $0 == "(" }
      return words.prefix(2) == ["CREATE", "TABLE"] && words.count > 2 ? String(words[2]) : nil
    })

  package static let creation = """
    CREATE TABLE tributary_meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE tributary_type(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE tributary_field(type INTEGER NOT NULL, field INTEGER NOT NULL, name TEXT NOT NULL,
      PRIMARY KEY(type, field)) WITHOUT ROWID;
    CREATE TABLE tributary_device(id INTEGER PRIMARY KEY, device BLOB NOT NULL UNIQUE);
    CREATE TABLE tributary_change_log(seq INTEGER PRIMARY KEY, stamp INTEGER NOT NULL, data BLOB NOT NULL);
    CREATE TABLE tributary_clock(type INTEGER NOT NULL, lo BLOB NOT NULL, data BLOB NOT NULL,
      PRIMARY KEY(type, lo)) WITHOUT ROWID;
    CREATE TABLE tributary_overlay(type INTEGER NOT NULL, id BLOB NOT NULL, flags INTEGER NOT NULL, data BLOB NOT NULL,
      PRIMARY KEY(type, id)) WITHOUT ROWID;
    CREATE INDEX tributary_overlay_repaired ON tributary_overlay(type, id) WHERE flags & 6;
    CREATE TABLE tributary_held(id INTEGER PRIMARY KEY, device BLOB NOT NULL, seq INTEGER NOT NULL, type TEXT,
      record BLOB, reason TEXT NOT NULL, until INTEGER, data BLOB NOT NULL);
    CREATE INDEX tributary_held_record ON tributary_held(type, record);
    CREATE TABLE tributary_peer(device BLOB PRIMARY KEY, seq INTEGER NOT NULL, hash BLOB NOT NULL,
      moment INTEGER NOT NULL, data BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE tributary_vector(device BLOB NOT NULL, moment INTEGER NOT NULL, data BLOB NOT NULL,
      PRIMARY KEY(device, moment)) WITHOUT ROWID;
    CREATE TABLE tributary_outbox(name TEXT PRIMARY KEY, seq INTEGER NOT NULL, sent INTEGER NOT NULL,
      hash BLOB NOT NULL, data BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE tributary_conflict(id INTEGER PRIMARY KEY, type TEXT NOT NULL, record BLOB NOT NULL,
      field TEXT NOT NULL, won BLOB NOT NULL, lost BLOB NOT NULL);
    CREATE TABLE tributary_sync_log(id INTEGER PRIMARY KEY, time INTEGER NOT NULL, kind TEXT NOT NULL,
      message TEXT NOT NULL);
    """
}
