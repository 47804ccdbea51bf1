import SQLite
import Testing
import TributaryModel

@testable import TributaryStore

/// The rules of columns, kept for local writes.
@Suite struct CaptureRuleTests {
  private func scene(_ rule: ValueRule, _ type: String = "") throws -> Scene {
    try Scene("CREATE TABLE t(id TEXT PRIMARY KEY, x \(type), y)") { $0.fields[0].rule = rule }
  }

  @Test func theFirstViolationIsKeptUntilItIsTaken() throws {
    let scene = try scene(ValueRule(.text, nonEmpty: true))
    _ = try scene.changes("INSERT INTO t VALUES('a', '', 1), ('b', 7, 1)")
    let violation = try #require(scene.capture.takeViolation())
    #expect(violation == CaptureViolation(table: "t", column: "x", problem: "must not be empty"))
    #expect(violation.error.code == .refusedValue)
    #expect(violation.error.message.contains("t.x"))
    #expect(scene.capture.takeViolation() == nil)
  }

  @Test func anUpdateIsCheckedOnlyWhereItChanges() throws {
    let scene = try scene(ValueRule(.text))
    try scene.given("INSERT INTO t VALUES('a', 7, 1)")
    #expect(try scene.changes("UPDATE t SET y = 2") == ["update t 'a' y"])
    #expect(scene.capture.takeViolation() == nil)
    _ = try scene.changes("UPDATE t SET x = 8")
    #expect(scene.capture.takeViolation()?.problem == "takes text, not an integer")
  }

  @Test func theEnginesOwnWritesAreNotChecked() throws {
    let scene = try scene(ValueRule(.text))
    scene.capture.mode = .watching
    try scene.writer.execute("INSERT INTO t VALUES('a', NULL, 1)")
    #expect(scene.capture.takeViolation() == nil)
  }

  @Test func aKeyMustNotBeNullOrLong() throws {
    let scene = try scene(.anything)
    #expect(try scene.changes("INSERT INTO t VALUES(NULL, 1, 1)") == [])
    #expect(scene.capture.takeViolation()?.column == "id")
    #expect(try scene.changes("INSERT INTO t VALUES(printf('%511c', 'x'), 1, 1)").count == 1)
    #expect(scene.capture.takeViolation() == nil)
    #expect(try scene.changes("INSERT INTO t VALUES(printf('%512c', 'x'), 1, 1)") == [])
    #expect(scene.capture.takeViolation()?.problem.contains("512") == true)
  }

  @Test func aRowWithoutAKeyCanBeDeletedOrMended() throws {
    let scene = try scene(.anything)
    try scene.given("INSERT INTO t VALUES(NULL, 1, 1), (NULL, 2, 2)")
    #expect(try scene.changes("UPDATE t SET id = 'a' WHERE x = 1") == ["insert t 'a'"])
    #expect(try scene.changes("DELETE FROM t WHERE x = 2") == [])
    #expect(scene.capture.takeViolation() == nil)
    #expect(try scene.changes("UPDATE t SET id = NULL") == ["delete t 'a' {x: 1, y: 1}"])
    #expect(scene.capture.takeViolation()?.column == "id")
  }

  @Test func aColumnThatIsGoneIsAViolationAndNoCrash() throws {
    let scene = try scene(.anything)
    try scene.given("INSERT INTO t VALUES('a', 1, 1); ALTER TABLE t DROP COLUMN x")
    for sql in ["UPDATE t SET y = 2", "DELETE FROM t"] {
      scene.capture.mode = .recording
      try scene.writer.execute("BEGIN; \(sql); ROLLBACK")
      #expect(scene.capture.takeViolation()?.problem.hasPrefix("cannot be read") == true)
      scene.capture.reset()
    }
  }

  @Test func theRulesOfKeysAreKept() throws {
    let scene = try Scene("CREATE TABLE t(id INTEGER PRIMARY KEY, x); CREATE TABLE u(id TEXT PRIMARY KEY, x)")
    {
      $0.key[0].rule = $0.name == "t" ? ValueRule(.integer, range: 0...10) : ValueRule(.text, nonEmpty: true)
    }
    _ = try scene.changes("INSERT INTO t VALUES(5, 1); INSERT INTO u VALUES('a', 1)")
    #expect(scene.capture.takeViolation() == nil)
    for sql in ["INSERT INTO t VALUES(11, 1)", "UPDATE t SET id = 12 WHERE id = 5", "UPDATE u SET id = ''"] {
      _ = try scene.changes(sql)
      #expect(scene.capture.takeViolation()?.column == "id", "\(sql)")
    }
  }

  @Test func wholeNumbersInRealColumnsAreReals() throws {
    let scene = try scene(ValueRule(.real, finite: true, range: 0...10), "REAL")
    _ = try scene.changes("INSERT INTO t VALUES('a', 5, 1); UPDATE t SET x = 6")
    #expect(scene.capture.takeViolation() == nil)
    _ = try scene.changes("UPDATE t SET x = 11")
    #expect(scene.capture.takeViolation() != nil)
  }

  private static let values: [Value] = [
    .null, .integer(0), .integer(99), .integer(.min), .real(0.5), .real(.infinity), .real(1e300), .text(""),
    .text("ab"),
    .text("äöü€"), .text("abcdefgh"), .blob([]), .blob([1, 2]), .blob([1, 2, 3, 4, 5, 6]),
  ]

  /// What the hook decides at once must be what the rule says.
  @Test(arguments: ["text", "integer", "real", "blob", "any"]) func theShortWayAgreesWithTheRule(
    _ name: String
  ) throws {
    let kind = try #require(ValueRule.Kind(rawValue: name))
    for bits in 0..<32 {
      let rule = ValueRule(
        kind, allowsNull: bits & 1 == 1, nonEmpty: bits & 2 == 2, finite: bits & 4 == 4,
        maximumLength: bits & 8 == 8 ? 4 : nil, range: bits & 16 == 16 ? 0...50 : nil)
      let scene = try scene(rule)
      for value in Self.values {
        _ = try scene.transaction { try $0.execute("REPLACE INTO t VALUES('a', ?, 1)", [value]) }
        #expect(scene.capture.takeViolation()?.problem == rule.problem(with: value), "\(rule) \(value)")
      }
    }
  }
}
