import TributaryModel

/// What simulated people do: lists, items that refer to them and to each other, and secrets that deletes erase.
enum Workload {
  static let tables = ["list", "item", "secret"]

  static let schema = Schema(
    "com.example.simulated",
    tables: [
      Table("list", key: "id", columns: [.text("name")]),
      Table(
        "item", key: "id",
        columns: [
          .text("title"), .text("code").orNull.unique, .text("list").references("list", onDelete: .cascade),
          .text("parent").orNull.references("item", onDelete: .setNull), .text("due").orNull,
          .text("zone").orNull,
          .integer("priority").withDefault(0),
        ], groups: [["due", "zone"]]),
      Table("secret", key: "id", columns: [.text("value").orNull, .text("note").orNull], onDelete: .erases),
    ])

  static func statement(_ random: inout Splitmix) -> (String, [Value]) {
    func pick(_ prefix: String, _ count: Int) -> Value {
      .text("\(prefix)\(Int.random(in: 0..<count, using: &random))")
    }
    let (list, item, other, secret) = (pick("l", 3), pick("i", 5), pick("i", 5), pick("s", 2))
    let (word, code) = (pick("w", 50), pick("c", 3))
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1: return ("INSERT INTO list(id,name) VALUES(?1,?2)", [list, word])
    case 2, 3, 4:
      return ("INSERT INTO item(id,title,list,code) VALUES(?1,?2,?3,?4)", [item, word, list, code])
    case 5: return ("UPDATE item SET code=?2 WHERE id=?1", [item, code])
    case 6: return ("UPDATE item SET parent=?2 WHERE id=?1", [item, other])
    case 7: return ("UPDATE item SET due=?2 WHERE id=?1", [item, word])
    case 8: return ("DELETE FROM list WHERE id=?1", [list])
    case 9: return ("DELETE FROM item WHERE id=?1", [item])
    case 10:
      return (
        "INSERT INTO secret(id,value) VALUES(?1,?2) ON CONFLICT DO UPDATE SET value=?2", [secret, word]
      )
    case 11: return ("DELETE FROM secret WHERE id=?1", [secret])
    case 12: return ("UPDATE item SET id=?2 WHERE id=?1", [item, other])
    default: return ("REPLACE INTO item(id,title,list,code) VALUES(?1,?2,?3,?4)", [item, word, list, code])
    }
  }
}
