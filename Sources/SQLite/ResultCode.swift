import CSQLite

/// A SQLite result code, primary or extended. A struct, so that a code that SQLite adds later needs no new case here.
package struct ResultCode: RawRepresentable, Hashable, Sendable {
  /// The number as SQLite defines it.
  package let rawValue: Int32

  /// Wraps a number as SQLite returns it.
  package init(rawValue: Int32) { self.rawValue = rawValue }

  private init(_ primary: Int32, _ detail: Int32 = 0) { rawValue = primary | detail << 8 }

  /// The family that an extended code belongs to; a primary code is its own family.
  package var primary: ResultCode { ResultCode(rawValue: rawValue & 0xff) }

  /// SQLite's own few words for the code.
  package var meaning: String { sqlite3_errstr(rawValue).map { String(cString: $0) } ?? "unknown error" }

  /// Lets `case .constraint` match every kind of constraint, while `case .constraintUnique` matches only that one.
  package static func ~= (pattern: ResultCode, code: ResultCode) -> Bool {
    pattern == code || pattern == code.primary
  }
}

extension ResultCode {
  /// The SQL is wrong, or something without a code of its own.
  package static let error = ResultCode(SQLITE_ERROR)
  /// Another connection holds a lock.
  package static let busy = ResultCode(SQLITE_BUSY)
  /// A read transaction saw a state that another connection has since replaced, so it cannot write.
  package static let busySnapshot = ResultCode(SQLITE_BUSY, 2)
  /// Another statement of the same connection, or of a shared cache, holds a lock.
  package static let locked = ResultCode(SQLITE_LOCKED)
  /// Memory ran out, or SQLite's heap limit was met.
  package static let outOfMemory = ResultCode(SQLITE_NOMEM)
  /// The database cannot be written.
  package static let readOnly = ResultCode(SQLITE_READONLY)
  /// The work was interrupted, as by a progress handler.
  package static let interrupt = ResultCode(SQLITE_INTERRUPT)
  /// The file system failed.
  package static let ioError = ResultCode(SQLITE_IOERR)
  /// The file is damaged.
  package static let corrupt = ResultCode(SQLITE_CORRUPT)
  /// The disk is full, or the database is at its page limit.
  package static let full = ResultCode(SQLITE_FULL)
  /// The file cannot be opened.
  package static let cantOpen = ResultCode(SQLITE_CANTOPEN)
  /// The schema changed under a statement.
  package static let schema = ResultCode(SQLITE_SCHEMA)
  /// A value, row or statement is over a limit.
  package static let tooBig = ResultCode(SQLITE_TOOBIG)
  /// A column does not hold such a type.
  package static let mismatch = ResultCode(SQLITE_MISMATCH)
  /// The library was called in a way that it forbids.
  package static let misuse = ResultCode(SQLITE_MISUSE)
  /// The authorizer refused.
  package static let auth = ResultCode(SQLITE_AUTH)
  /// A parameter or column number is out of range.
  package static let range = ResultCode(SQLITE_RANGE)
  /// The file is no database, or its key is wrong.
  package static let notADatabase = ResultCode(SQLITE_NOTADB)
}

extension ResultCode {
  /// Any constraint.
  package static let constraint = ResultCode(SQLITE_CONSTRAINT)
  /// A CHECK constraint.
  package static let constraintCheck = ResultCode(SQLITE_CONSTRAINT, 1)
  /// A foreign key.
  package static let constraintForeignKey = ResultCode(SQLITE_CONSTRAINT, 3)
  /// A NOT NULL constraint.
  package static let constraintNotNull = ResultCode(SQLITE_CONSTRAINT, 5)
  /// A PRIMARY KEY.
  package static let constraintPrimaryKey = ResultCode(SQLITE_CONSTRAINT, 6)
  /// A UNIQUE constraint or index.
  package static let constraintUnique = ResultCode(SQLITE_CONSTRAINT, 8)
  /// A rowid that is taken.
  package static let constraintRowID = ResultCode(SQLITE_CONSTRAINT, 10)
  /// A type that a STRICT table refuses.
  package static let constraintDatatype = ResultCode(SQLITE_CONSTRAINT, 12)
}
