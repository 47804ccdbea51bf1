import TributaryCodec
import TributaryModel

extension Plain {
  static func moment(_ moment: Moment) -> Plain { .text("\(moment.milliseconds)+\(moment.counter)") }

  static func stamp(_ stamp: Stamp) -> Plain {
    .text("\(stamp.moment.milliseconds)+\(stamp.moment.counter) \(stamp.device)")
  }

  static func value(_ value: Value) -> Plain {
    switch value {
    case .null: .null
    case .integer(let number): .number(number)
    case .real(let number): .object([("real", .text("\(number)"))])
    case .text(let bytes):
      if bytes.count <= longest, let text = String(validating: bytes, as: UTF8.self) {
        .text(text)
      } else {
        .object([("text", self.bytes(bytes))])
      }
    case .blob(let bytes): .object([("blob", self.bytes(bytes))])
    }
  }

  /// Values above this are told by their hash.
  private static let longest = 512

  private static func bytes(_ bytes: [UInt8]) -> Plain {
    if bytes.count <= longest { return hex(bytes) }
    return .object([("length", .number(bytes.count)), ("blake2b", hex(Hash.digest(bytes).bytes))])
  }

  static func name(_ name: RecordName) -> Plain {
    .object([
      ("type", .text(name.type)), ("key", .list((name.id.values ?? []).map { value($0) })),
      ("identity", hex(name.id.bytes)),
    ])
  }

  static func register(_ register: Register) -> [(String, Plain)] {
    var members = [("value", value(register.value)), ("stamp", stamp(register.stamp))]
    if let life = register.life { members.append(("root", stamp(life))) }
    members.append(("version", number(register.schemaVersion)))
    return members
  }

  static func field(_ field: Field) -> Plain {
    var members: [(String, Plain)] = [("name", .text(field.name))]
    switch field.content {
    case .register(let register): members += [("kind", .text("last"))] + self.register(register)
    case .counter(let counter):
      members.append(("kind", .text("counter")))
      if let base = counter.base { members.append(("base", .object(register(base)))) }
      members.append(("totals", .list(counter.totals.map(total))))
      members.append(("shown", value(counter.value)))
    case .set(let set):
      members += [
        ("kind", .text("set")), ("stamp", stamp(set.stamp)), ("version", number(set.schemaVersion)),
        ("marks", .list(set.marks.map(mark))), ("shown", .list(set.values.map { value($0) })),
      ]
    }
    return .object(members)
  }

  private static func total(_ total: Counter.Total) -> Plain {
    members([
      "device": .text("\(total.device)"), "stamp": stamp(total.stamp), "base": stamp(total.base),
      "root": total.life.map { stamp($0) }, "sum": number(total.sum),
    ])
  }

  private static func mark(_ mark: ElementSet.Mark) -> Plain {
    members([
      "value": value(mark.value), "device": .text("\(mark.device)"),
      "added": mark.added.map { moment($0) }, "removed": mark.removed.map { moment($0) },
    ])
  }

  static func delete(_ delete: Delete) -> Plain {
    members([
      "stamp": stamp(delete.stamp), "erases": .flag(delete.erases), "cause": delete.cause.map { name($0) },
    ])
  }

  /// One record's state, or a part of it.
  static func entry(_ entry: Entry) -> Plain {
    let change = entry.change
    return members([
      "record": name(entry.name),
      "minReader": entry.minReader == 1 ? nil : number(entry.minReader),
      "barrier": entry.isBarrier ? .flag(true) : nil,
      "born": change.born.map { stamp($0) },
      "deletes": change.deletes.isEmpty ? nil : .list(change.deletes.map { delete($0) }),
      "fields": change.fields.isEmpty ? nil : .list(change.fields.map { field($0) }),
      "visible": .flag(change.isVisible()),
    ])
  }

  static func entries(_ entries: [Entry]) -> Plain {
    .list(entries.sorted { $0.name < $1.name }.map { entry($0) })
  }
}
