import CSQLite

/// What a connection is kept from doing, because of where its file comes from.
package struct Hardening: Sendable {
  /// Refuse SQL that can damage the file, as writes to the schema table.
  package var defensive = true
  /// Let the schema call functions and virtual tables that are not known to be harmless.
  package var trustsSchema = false
  /// Let the schema call what SQLite itself brings, where its version does not tell the harmless from the rest.
  package var trustsOwnParts = false
  /// Let statements read views.
  package var allowsViews = false
  /// Run triggers.
  package var allowsTriggers = false
  /// Read a double-quoted name that does not exist as a string.
  package var allowsDoubleQuotedStrings = false
  /// Read double-quoted strings even where the build of SQLite does not.
  package var needsDoubleQuotedStrings = false
  /// Read the file through a memory map, where the build does so.
  package var allowsMemoryMap = false
  /// Keep temporary tables and sorting in memory, so that no other file is touched.
  package var keepsTemporariesInMemory = true
  /// What statements and values may measure; nil leaves SQLite's own limits.
  package var limits: Limits? = .strict

  /// For a file from elsewhere, whose schema and content may be hostile.
  package static let foreign = Hardening()

  /// For the app's own store: what the app's SQL may rely on stays, what could damage the file goes.
  package static let own: Hardening = {
    var profile = Hardening()
    profile.trustsSchema = true
    profile.allowsViews = true
    profile.allowsTriggers = true
    profile.allowsDoubleQuotedStrings = true
    profile.allowsMemoryMap = true
    profile.keepsTemporariesInMemory = false
    profile.limits = nil
    return profile
  }()

  /// For a database that another program made and goes on using, in place: whatever its schema holds works, and what
  /// it holds may be hostile. So no function may be registered on such a connection: CHECK constraints, generated
  /// columns and indexes would call it whatever its flags, and the authorizer would not be asked.
  ///
  /// - Triggers fire, as search indexes need, and so views are read: triggers read them, or write through them.
  /// - Double-quoted strings are read. Refusing them in DDL hinders no schema from loading, only ALTER TABLE;
  ///   refusing them in DML breaks triggers and views that use them.
  package static let adopted: Hardening = {
    var profile = Hardening()
    profile.trustsOwnParts = true
    profile.allowsViews = true
    profile.allowsTriggers = true
    profile.allowsDoubleQuotedStrings = true
    profile.needsDoubleQuotedStrings = true
    profile.limits = .adopted
    return profile
  }()
}

/// Applies a profile, before the first statement that reads the schema. Loading of extensions and tokenizers by
/// SQL is always off, and pages are always checked for the size of their cells.
///
/// It does not bound time: for that set a progress handler. Nor does it look for damage: see `quickCheck()`.
package func harden(_ connection: Connection, _ profile: Hardening = .foreign) throws {
  guard connection.isOpen else { throw DatabaseError(.misuse, "The connection is closed.") }
  let restrictions: [(option: Int32, isOn: Bool)] = [
    (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false),
    (SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, false),
    (SQLITE_DBCONFIG_DEFENSIVE, profile.defensive),
  ]
  for restriction in restrictions { try connection.configure(restriction.option, restriction.isOn) }
  // Only ever taken away: what the build or the app has switched off already stays off.
  let allowances: [(option: Int32, isAllowed: Bool)] = [
    (SQLITE_DBCONFIG_TRUSTED_SCHEMA, try trustsSchema(connection, profile)),
    (SQLITE_DBCONFIG_ENABLE_VIEW, profile.allowsViews),
    (SQLITE_DBCONFIG_ENABLE_TRIGGER, profile.allowsTriggers),
    (SQLITE_DBCONFIG_DQS_DDL, profile.allowsDoubleQuotedStrings),
    (SQLITE_DBCONFIG_DQS_DML, profile.allowsDoubleQuotedStrings),
  ]
  for allowance in allowances where !allowance.isAllowed { try connection.configure(allowance.option, false) }
  if profile.needsDoubleQuotedStrings {
    try connection.configure(SQLITE_DBCONFIG_DQS_DDL, true)
    try connection.configure(SQLITE_DBCONFIG_DQS_DML, true)
  }
  profile.limits?.apply(to: connection)
  try connection.execute("PRAGMA cell_size_check = ON")
  if !profile.allowsMemoryMap { try connection.execute("PRAGMA mmap_size = 0") }
  if profile.keepsTemporariesInMemory { try connection.execute("PRAGMA temp_store = MEMORY") }
}

private func trustsSchema(_ connection: Connection, _ profile: Hardening) throws -> Bool {
  if profile.trustsSchema { return true }
  return try profile.trustsOwnParts && connection.needsTrustForOwnParts && connection.hasOnlyOwnParts
}
