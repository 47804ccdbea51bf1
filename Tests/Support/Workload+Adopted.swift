package import TributaryModel

/// The same tables as another program makes them, in a database that is adopted.
extension Workload {
  /// What describes those tables. Groups and erasing deletes are an app's declarations, which no table shows: so an
  /// adopted database keeps neither, and a fleet is of one kind or of the other.
  package static let adoptedSchema: Schema = {
    var schema = Workload.schema
    schema.tables = schema.syncedTables.map { table in
      var found = table
      found.groups = []
      found.onDelete = .editRevives
      return found
    }
    return schema
  }()

  /// The same with the columns that an app has added since, in an order that does not depend on when.
  package static func adopted(_ found: Schema) -> Schema {
    let extra =
      found.tables.first { $0.name == "item" }?.columns.map(\.name).filter { $0.hasPrefix("extra") } ?? []
    var schema = adoptedSchema
    for index in schema.tables.indices where schema.tables[index].name == "item" {
      schema.tables[index].columns += extra.sorted().map { .text($0).orNull }
    }
    return schema
  }

  /// The tables that are synced.
  package static let adoptedTables = adoptedSchema.tables.map(\.name)

  /// The SQL of an app that knows nothing of the engine. Its history stays on the device.
  package static let foreignTables = """
    CREATE TABLE list(id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE item(
      id TEXT NOT NULL PRIMARY KEY, title TEXT NOT NULL, code TEXT UNIQUE,
      list TEXT NOT NULL REFERENCES list(id) ON DELETE CASCADE,
      parent TEXT REFERENCES item(id) ON DELETE SET NULL,
      due TEXT, zone TEXT, priority INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE secret(id TEXT NOT NULL PRIMARY KEY, value TEXT, note TEXT);
    CREATE TABLE place(
      list TEXT NOT NULL REFERENCES list(id) ON DELETE CASCADE, position INTEGER NOT NULL, label TEXT,
      PRIMARY KEY(list, position));
    CREATE TABLE photo(
      hash BLOB NOT NULL PRIMARY KEY, data BLOB, item TEXT REFERENCES item(id) ON DELETE SET NULL);
    CREATE TABLE tag(name TEXT NOT NULL, color TEXT, weight REAL, PRIMARY KEY(name)) WITHOUT ROWID;
    CREATE TABLE guest(id TEXT NOT NULL PRIMARY KEY, badge TEXT NOT NULL UNIQUE);
    CREATE TABLE seat(
      id TEXT NOT NULL PRIMARY KEY, line TEXT, number INTEGER,
      guest TEXT REFERENCES guest(id) ON DELETE SET NULL, UNIQUE(line, number));
    CREATE TABLE history(n INTEGER PRIMARY KEY, item TEXT, title TEXT);
    \(foreignTrigger);
    """

  /// The app's own trigger, which a table that is made anew loses.
  package static let foreignTrigger = """
    CREATE TRIGGER item_history AFTER UPDATE OF title ON item
    BEGIN INSERT INTO history(item, title) VALUES(new.id, new.title); END
    """

  /// What is in the database before it is adopted.
  package static let foreignRows = """
    INSERT INTO list(id,name) VALUES('l0','w0'),('l1','w1');
    INSERT INTO item(id,title,list,code) VALUES('i0','w0','l0','c0'),('i1','w1','l1',NULL);
    INSERT INTO tag(name,color,weight) VALUES('t0','w0',1.5);
    """
}
