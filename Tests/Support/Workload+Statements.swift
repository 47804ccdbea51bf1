import TributaryModel

extension Workload {
  /// The statements of one transaction: mostly a few, now and then many.
  package static func transaction(_ random: inout Splitmix) -> [Statement] {
    let isLong = Int.random(in: 0..<12, using: &random) == 0
    return (0..<Int.random(in: isLong ? 4...12 : 1...3, using: &random)).map { _ in statement(&random) }
  }

  /// One random statement. Names are few, so that devices meet in the same records.
  package static func statement(_ random: inout Splitmix) -> Statement {
    switch Int.random(in: 0..<21, using: &random) {
    case 0...13: listStatement(&random)
    case 14: placeStatement(&random)
    case 15, 16: photoStatement(&random)
    case 17: tagStatement(&random)
    case 18: guestStatement(&random)
    default: seatStatement(&random)
    }
  }

  private static func pick(_ prefix: String, _ count: Int, _ random: inout Splitmix) -> Value {
    .text("\(prefix)\(Int.random(in: 0..<count, using: &random))")
  }

  private static func listStatement(_ random: inout Splitmix) -> Statement {
    let list = pick("l", 3, &random)
    let (item, other) = (pick("i", 5, &random), pick("i", 5, &random))
    let secret = pick("s", 2, &random)
    let (word, code) = (pick("w", 50, &random), pick("c", 3, &random))
    switch Int.random(in: 0..<17, using: &random) {
    case 0: return Statement("INSERT INTO list(id,name) VALUES(?1,?2)", [list, word])
    case 1: return Statement("INSERT OR IGNORE INTO list(id,name) VALUES(?1,?2)", [list, word])
    case 2, 3:
      return Statement(
        """
        INSERT INTO item(id,title,list,code) SELECT ?1,?2,?3,?4 WHERE EXISTS(SELECT 1 FROM list WHERE id=?3)
        ON CONFLICT(id) DO UPDATE SET title=?2
        """, [item, word, list, code])
    case 4:
      return Statement("INSERT INTO item(id,title,list,code) VALUES(?1,?2,?3,?4)", [item, word, list, code])
    case 5: return Statement("UPDATE item SET code=?2 WHERE id=?1", [item, code])
    case 6: return Statement("UPDATE item SET parent=?2 WHERE id=?1", [item, other])
    case 7: return Statement("UPDATE item SET due=?2 WHERE id=?1", [item, word])
    case 8: return Statement("DELETE FROM list WHERE id=?1", [list])
    case 9: return Statement("DELETE FROM item WHERE id=?1", [item])
    case 10:
      return Statement(
        "INSERT INTO secret(id,value) VALUES(?1,?2) ON CONFLICT DO UPDATE SET value=?2", [secret, word])
    case 11: return Statement("DELETE FROM secret WHERE id=?1", [secret])
    case 12: return Statement("UPDATE item SET id=?2 WHERE id=?1", [item, other])
    case 13: return Statement("UPDATE item SET title=?2, priority=priority+1 WHERE list=?1", [list, word])
    case 14: return Statement("UPDATE list SET name=?2 WHERE id=?1", [list, word])
    case 15: return Statement("UPDATE secret SET note=?2 WHERE id=?1", [secret, word])
    default:
      return Statement("REPLACE INTO item(id,title,list,code) VALUES(?1,?2,?3,?4)", [item, word, list, code])
    }
  }

  private static func placeStatement(_ random: inout Splitmix) -> Statement {
    let (list, word) = (pick("l", 3, &random), pick("w", 50, &random))
    let position = Value.integer(Int64.random(in: 0..<2, using: &random))
    switch Int.random(in: 0..<4, using: &random) {
    case 0, 1:
      return Statement("REPLACE INTO place(list,position,label) VALUES(?1,?2,?3)", [list, position, word])
    case 2:
      return Statement(
        "UPDATE place SET position=1-position WHERE list=?1 AND position=?2", [list, position])
    default: return Statement("DELETE FROM place WHERE list=?1 AND position=?2", [list, position])
    }
  }

  private static func photoStatement(_ random: inout Splitmix) -> Statement {
    let hash = Value.blob([0, UInt8.random(in: 0..<3, using: &random), 255])
    let item = pick("i", 5, &random)
    let data = Value.blob(
      (0..<Int.random(in: 0...64, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
    switch Int.random(in: 0..<4, using: &random) {
    case 0, 1:
      return Statement(
        "INSERT INTO photo(hash,data) VALUES(?1,?2) ON CONFLICT DO UPDATE SET data=?2", [hash, data])
    case 2:
      return Statement(
        "UPDATE photo SET item=(SELECT id FROM item WHERE id>=?2 ORDER BY id) WHERE hash=?1", [hash, item])
    default: return Statement("DELETE FROM photo WHERE hash=?1", [hash])
    }
  }

  private static func tagStatement(_ random: inout Splitmix) -> Statement {
    let (tag, word) = (pick("t", 3, &random), pick("w", 50, &random))
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return Statement("DELETE FROM tag WHERE name=?1", [tag])
    case 1:
      return Statement("UPDATE tag SET weight=?2", [tag, .real(Double.random(in: 0..<9, using: &random))])
    default:
      return Statement(
        "INSERT INTO tag(name,color) VALUES(?1,?2) ON CONFLICT DO UPDATE SET color=?2", [tag, word])
    }
  }

  private static func guestStatement(_ random: inout Splitmix) -> Statement {
    let (guest, badge) = (pick("g", 4, &random), pick("b", 3, &random))
    switch Int.random(in: 0..<5, using: &random) {
    case 0, 1, 2:
      return Statement(
        "INSERT INTO guest(id,badge) VALUES(?1,?2) ON CONFLICT(id) DO UPDATE SET badge=?2", [guest, badge])
    case 3: return Statement("REPLACE INTO guest(id,badge) VALUES(?1,?2)", [guest, badge])
    default: return Statement("DELETE FROM guest WHERE id=?1", [guest])
    }
  }

  private static func seatStatement(_ random: inout Splitmix) -> Statement {
    let (seat, line, guest) = (pick("x", 4, &random), pick("r", 2, &random), pick("g", 4, &random))
    let number = Value.integer(Int64.random(in: 0..<2, using: &random))
    switch Int.random(in: 0..<7, using: &random) {
    case 0, 1:
      return Statement("INSERT INTO seat(id,line,number) VALUES(?1,?2,?3)", [seat, line, number])
    case 2: return Statement("UPDATE seat SET number=?2 WHERE id=?1", [seat, number])
    case 3: return Statement("UPDATE seat SET line=?2 WHERE id=?1", [seat, line])
    case 4: return Statement("REPLACE INTO seat(id,line,number) VALUES(?1,?2,?3)", [seat, line, number])
    case 5:
      return Statement(
        "UPDATE seat SET guest=(SELECT id FROM guest WHERE id>=?2 ORDER BY id) WHERE id=?1", [seat, guest])
    default: return Statement("DELETE FROM seat WHERE id=?1", [seat])
    }
  }
}
