import Testing
import TributaryModel
import TributaryStore

/// Short histories in which one rule of the merge decides, each judged by every check of the simulation.
struct MergeRuleScenarios {
  private static let list = "INSERT INTO list(id,name) VALUES('l','list')"

  /// The other columns of a group come from the state: the table may show a repaired NULL.
  @Test func aGroupIsCapturedFromTheStateAndNotFromARepairedRow() throws {
    let story = try Story("A", "B")
    try story.write("A", "INSERT INTO seat(id,line,number) VALUES('early','r1',1)")
    try story.write("B", "INSERT INTO seat(id,line,number) VALUES('late','r1',1)")
    try story.sync("A", "B", "A")
    #expect(try story.rows("A", "SELECT number FROM seat WHERE id='early'") == [[.null]])
    try story.write("A", "UPDATE seat SET line='r2' WHERE id='early'")
    try story.end(
      "SELECT * FROM seat ORDER BY id",
      [["early", "r2", 1, .null], ["late", "r1", 1, .null]])
  }

  @Test func aRecordLivesAgainAfterItsDeleteWasReadEverywhere() throws {
    let story = try Story("A", "B")
    try story.write("A", Self.list, "INSERT INTO secret(id) VALUES('s')")
    try story.sync("A", "B")
    try story.write("B", "UPDATE secret SET note='kept' WHERE id='s'")
    try story.sync("B")
    try story.write("B", "INSERT INTO item(id,title,list,due,zone) VALUES('i','first','l','1','z')")
    try story.sync("B")
    try story.write("B", "INSERT INTO tag(name) VALUES('t2')")
    try story.sync("B", "A")
    try story.write("B", "INSERT INTO tag(name) VALUES('t1')")
    try story.sync("B")
    story.pass(30_000)
    try story.write("B", "DELETE FROM item WHERE id='i'")
    try story.sync("B", "A", "B")
    try story.write("A", "INSERT INTO item(id,title,list) VALUES('i','second','l')")
    try story.sync("B")
    try story.end("SELECT title,due,zone FROM item", [["second", .null, .null]])
  }

  /// An entry carries the deletes that its writer's state holds, wherever the reader was stopped.
  @Test(arguments: 0...9, [3, 9])
  func anEntryCarriesTheDeletesThatItsWriterKnows(first: Int, second: Int) throws {
    let story = try Story("A", "B")
    try story.write("B", "INSERT INTO tag(name,color) VALUES('t','red')", Self.list)
    try story.stop("A", at: first)
    try story.sync("B")
    try story.write("B", "UPDATE tag SET color='blue' WHERE name='t'")
    try story.stop("A", at: second)
    try story.write("A", "DELETE FROM list WHERE id='l'")
    try story.sync("B", "A", "B", "A")
    try story.end("SELECT color FROM tag", [["blue"]])
  }

  /// Later edits keep a record that was deleted; the newcomer learns of both.
  @Test func anEditThatKnewTheDeleteKeepsTheRecordForOneWhoReadsItAlone() throws {
    let story = try Story("A", "B", "C")
    try story.write("A", Self.list, "INSERT INTO item(id,title,list) VALUES('i','first','l')")
    try story.sync("A", "B", "C")
    try story.write("A", "DELETE FROM item WHERE id='i'")
    try story.write("B", "UPDATE item SET title='survivor' WHERE id='i'")
    try story.sync("B", "A", "B")
    try story.write("B", "UPDATE item SET due='1' WHERE id='i'")
    try story.sync("B")
    try story.withoutLogs(of: "A") { try story.sync("C") }
    let read = try story.run.device("C").canonical().first { $0.name.type == "item" }
    #expect(read?.change.deletes.count == 1)
    try story.end("SELECT title,due FROM item", [["survivor", "1"]])
  }

  /// An insert after a delete ends the fields stamped before that delete.
  @Test(arguments: 0...9) func anInsertAfterADeleteIsANewLife(step: Int) throws {
    let story = try Story("A", "B")
    try story.write("A", Self.list)
    try story.write("A", "INSERT INTO item(id,title,list) VALUES('i','first','l')")
    try story.sync("A", "B")
    try story.write("B", "UPDATE item SET due='before the delete' WHERE id='i'")
    try story.stop("B", at: step)
    try story.stop("B", at: step)
    try story.write("A", "DELETE FROM item WHERE id='i'")
    try story.sync("A", "B")
    try story.write("B", "INSERT INTO item(id,title,list) VALUES('i','second','l')")
    try story.end("SELECT title,due FROM item", [["second", .null]])
  }

  /// All deletes of a record count, since a later insert may fall between two of them.
  @Test func everyDeleteIsRememberedAndNotOnlyTheLast() throws {
    let story = try Story("A", "B", "C")
    try story.write("C", Self.list, "INSERT INTO item(id,title,list,due) VALUES('i','first','l','1')")
    try story.sync("C", "A")
    try story.write("A", "UPDATE item SET zone='of the first life' WHERE id='i'")
    try story.write("C", "DELETE FROM item WHERE id='i'")
    try story.sync("B")
    try story.write("C", "INSERT INTO item(id,title,list,due) VALUES('i','second','l','2')")
    try story.write("B", "DELETE FROM item WHERE id='i'")
    try story.write("A", "UPDATE item SET priority=7 WHERE id='i'")
    try story.end("SELECT title,due,zone,priority FROM item", [["second", "2", .null, 7]])
  }

  /// Under `.erases` an update names the insert that it edits, and dies with it.
  @Test func anUpdateOfASecretDiesWithTheInsertThatItEdits() throws {
    let story = try Story("A", "B")
    try story.write("A", "INSERT INTO secret(id,value) VALUES('s','old')")
    try story.sync("A", "B")
    try story.write("A", "DELETE FROM secret WHERE id='s'")
    try story.write("A", "INSERT INTO secret(id) VALUES('s')")
    try story.write("B", "UPDATE secret SET note='of the old one' WHERE id='s'")
    try story.end("SELECT value,note FROM secret", [[.null, .null]])
  }

  @Test func anEditAfterTheDeleteOfASecretDoesNotBringItBack() throws {
    let story = try Story("A", "B")
    try story.write("A", "INSERT INTO secret(id,value) VALUES('s','old')")
    try story.sync("A", "B")
    try story.write("A", "DELETE FROM secret WHERE id='s'")
    try story.write("B", "UPDATE secret SET value='later' WHERE id='s'")
    try story.end("SELECT * FROM secret", [])
  }

  @Test func aDeleteThatArrivesBeforeItsInsertStillDeletes() throws {
    let story = try Story("A", "B", "C")
    try story.write("A", "INSERT INTO tag(name,color) VALUES('t','red')")
    try story.sync("A", "B")
    try story.write("B", "DELETE FROM tag WHERE name='t'")
    try story.sync("B")
    try story.withoutLogs(of: "A") { try story.sync("C") }
    try story.end("SELECT * FROM tag", [])
  }

  @Test func anUpdateThatArrivesBeforeItsInsertWaitsUnseen() throws {
    let story = try Story("A", "B", "C")
    try story.write("A", "INSERT INTO tag(name,color) VALUES('t','red')")
    try story.sync("A", "B")
    try story.write("B", "UPDATE tag SET color='blue' WHERE name='t'")
    try story.sync("B")
    try story.withoutLogs(of: "A") { try story.sync("C") }
    #expect(try story.rows("C", "SELECT * FROM tag") == [])
    try story.end("SELECT color FROM tag", [["blue"]])
  }

  /// Deletes, edits after them and a device that joins in between.
  @Test(arguments: 0...9) func aDeviceThatJoinsInTheMiddleEndsLikeTheOthers(step: Int) throws {
    let story = try Story("A", "B", "C", "D")
    try story.write("C", Self.list, "INSERT INTO item(id,title,list,due) VALUES('i1','one','l','x')")
    try story.sync("C", "A", "B")
    try story.run.join("E")
    try story.write("B", "INSERT INTO item(id,title,list) VALUES('i2','two','l')")
    try story.stop("B", at: step)
    try story.write("A", "INSERT INTO item(id,title,list,due) VALUES('i3','three','l','1')")
    try story.sync("B", "A", "D", "C")
    try story.stop("D", at: 2)
    try story.sync("E")
    try story.write("E", "DELETE FROM item WHERE id='i2'")
    try story.write("A", "UPDATE item SET priority=priority-1 WHERE id='i2'")
    try story.sync("B", "E")
    try story.write("E", "DELETE FROM item WHERE id='i3'")
    story.pass(700_000)
    try story.sync("E", "C", "E", "B", "C")
    try story.stop("D", at: 1)
    try story.sync("A", "C")
    story.pass(70_000)
    try story.sync("C")
    try story.write("D", "UPDATE item SET priority=priority-1 WHERE id='i3'")
    try story.stop("D", at: 1)
    try story.end("SELECT id FROM item ORDER BY id", [["i1"], ["i2"], ["i3"]])
  }

  /// Whatever the app's own triggers do to synced records while remote edits are applied is put back to the state.
  @Test func aTriggerThatChangesWhatArrivesIsUndone() throws {
    let story = try Story("A", "B")
    for device in story.run.devices {
      try device.store.write {
        try $0.execute(
          "CREATE TRIGGER heavier AFTER UPDATE OF color ON tag "
            + "BEGIN UPDATE tag SET weight=coalesce(weight,0)+1 WHERE name=new.name; END")
      }
    }
    try story.write("A", "INSERT INTO tag(name,color) VALUES('t','red')")
    try story.sync("A", "B")
    try story.write("A", "UPDATE tag SET color='blue' WHERE name='t'")
    try story.end("SELECT color,weight FROM tag", [["blue", .real(1)]])
  }

  /// What a clock that is hours ahead stamps waits for its time, and then counts like any edit.
  @Test func anEditFromTheFutureWaitsForItsTime() throws {
    let story = try Story("A", "B")
    try story.write("A", "INSERT INTO tag(name,color) VALUES('t','red')")
    try story.sync("A", "B")
    try story.run.perform(.jump(3_600_000), on: story.run.device("A"))
    try story.write("A", "UPDATE tag SET color='future' WHERE name='t'")
    try story.sync("A", "B")
    #expect(try story.rows("B", "SELECT color FROM tag") == [["red"]])
    try story.write("B", "UPDATE tag SET color='now' WHERE name='t'")
    try story.sync("B", "A")
    try story.end("SELECT color FROM tag", [["future"]])
  }
}

/// What becomes of copies of databases. Every edit keeps its stamp, and none is lost or sent twice.
struct CopyScenarios {
  @Test(arguments: 0...9) func whatWasSentBeforeARestoreKeepsItsStamps(step: Int) throws {
    let story = try Story("A", "B")
    try story.sync("B")
    try story.stop("B", at: step)
    try story.write("B", "INSERT INTO secret(id) VALUES('s')")
    try story.sync("B")
    try story.run.perform(.backup, on: story.run.device("B"))
    try story.write("B", "UPDATE secret SET note='sent' WHERE id='s'")
    try story.sync("B")
    try story.run.perform(.restore, on: story.run.device("B"))
    try story.end("SELECT note FROM secret", [["sent"]])
  }

  @Test func aTwinAndItsOriginalBothKeepTheirEdits() throws {
    let story = try Story("A")
    try story.run.perform(.copy(as: "E"), on: story.run.device("A"))
    try story.write("E", "INSERT INTO list(id,name) VALUES('of the twin','')")
    try story.write("A", "INSERT INTO list(id,name) VALUES('of the original','')")
    try story.end("SELECT id FROM list ORDER BY id", [["of the original"], ["of the twin"]])
  }

  @Test func unsentEditsOfAnOriginalAreOneEditInItsTwin() throws {
    let story = try Story("A", "B")
    try story.write("A", "INSERT INTO tag(name,color) VALUES('t','red')")
    try story.run.perform(.copy(as: "E"), on: story.run.device("A"))
    try story.sync("E", "A", "B", "E")
    try story.write("B", "UPDATE tag SET color='blue' WHERE name='t'")
    try story.end("SELECT color FROM tag", [["blue"]])
  }

  @Test(arguments: 0...9) func aRestoreBehindTheLastSealIsSeen(step: Int) throws {
    let story = try Story("A", "B")
    try story.write("B", "INSERT INTO tag(name,color) VALUES('t','red')")
    try story.stop("B", at: step)
    try story.sync("A", "B", "A")
    try story.write("A", "UPDATE tag SET weight=1.5 WHERE name='t'")
    try story.run.perform(.restart, on: story.run.device("B"))
    try story.sync("A", "B")
    try story.run.perform(.backup, on: story.run.device("B"))
    try story.write("B", "UPDATE tag SET color='sent' WHERE name='t'")
    try story.sync("B")
    try story.run.perform(.restore, on: story.run.device("B"))
    try story.end("SELECT color,weight FROM tag", [["sent", .real(1.5)]])
  }
}
