import Testing

@testable import TributaryTool

@Suite struct SQLSplitTests {
  @Test func semicolonsInTextsCommentsAndTriggersDoNotCut() throws {
    let trigger = "CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; DELETE FROM c; END;"
    let insert = " INSERT INTO a VALUES('x;y') /* ; */;"
    #expect(try SQLCommand.statements(of: trigger + insert + " SELECT 1") == [trigger, insert, " SELECT 1"])
  }

  @Test func blanksAndCommentsAtTheEndAreNoStatement() throws {
    #expect(try SQLCommand.statements(of: "SELECT 1;\n-- done\n/* ; */ ") == ["SELECT 1;"])
    #expect(try SQLCommand.statements(of: "") == [])
  }

  @Test func aNULIsRefused() {
    #expect(throws: ToolError.self) { try SQLCommand.statements(of: "SELECT 1;\0SELECT 2") }
  }
}
