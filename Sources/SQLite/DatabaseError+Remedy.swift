extension DatabaseError {
  /// What a person or a caller can do about it, for the codes where there is something to do.
  package var remedy: String? {
    Self.remedies[code] ?? Self.remedies[code.primary]
  }

  private static let remedies: [ResultCode: String] = [
    .busy: "Another connection is writing. Try again, raise the busy timeout, or end the long transaction.",
    .busySnapshot:
      "Roll back and begin again with an immediate transaction: the data read has changed since.",
    .locked: "Reset or finish the other statements of this connection first.",
    .outOfMemory: "Free memory, or raise SQLite's heap limit.",
    .readOnly: "Check the permissions of the file and of its directory, or open it for writing.",
    .interrupt: "The work was stopped on purpose or ran out of time. Run it again with more time.",
    .ioError: "Check the disk and the file system; nothing of this transaction was kept.",
    .corrupt: "Keep a copy of the file, then restore from a snapshot or another device.",
    .full: "Free space on the disk, then try again; nothing of this transaction was kept.",
    .cantOpen: "Check that the path exists, is a file, and that its directory is writable.",
    .schema: "The schema changed meanwhile. Prepare the statement again.",
    .tooBig: "Store something smaller, or split it; the limit is that of the connection.",
    .misuse: "This is a mistake in the calling code, not in the data.",
    .auth: "The statement does what this connection does not allow.",
    .range: "Check the number of parameters against the statement.",
    .notADatabase: "Check that the path names a SQLite database and that its key, if any, is right.",
    .constraintUnique: "A row with the same values in a unique key exists already.",
    .constraintPrimaryKey: "A row with the same primary key exists already.",
    .constraintRowID: "A row with the same rowid exists already.",
    .constraintNotNull: "Give the column a value.",
    .constraintForeignKey: "Write the parent row first, or delete the children first.",
    .constraintDatatype: "The table is STRICT: give the value in the column's declared type.",
    .constraint: "The row breaks a rule of the schema.",
  ]
}
