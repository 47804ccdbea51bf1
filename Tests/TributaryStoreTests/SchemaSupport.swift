import SQLite
import Testing
import TributaryModel
import TributaryStore

/// A database in memory that the engine owns.
func ownedMemory(_ sql: String = "") throws -> Connection {
  let connection = try Connection.open(":memory:")
  try GuardFunction.install(on: connection)
  try connection.execute(sql)
  return connection
}

/// Opens the database with the tables, as an app's start does.
@discardableResult
func reconcile(
  _ connection: Connection, _ tables: [Table], isAdopted: Bool = false
) throws -> [TableShape] {
  try connection.transaction(.immediate) {
    try SchemaReconciler(connection, isAdopted: isAdopted)
      .reconcile(Schema("com.example.test", tables: tables), numbers: LocalNumbers(connection))
  }
}

/// The store's error that `body` throws, or nil.
func storeError(_ body: () throws -> Void) -> StoreError? {
  do {
    try body()
    return nil
  } catch {
    return error as? StoreError
  }
}
