import Tributary
import TributaryModel
import TributaryStore

/// Writes what a check finds as it finds it, and the sum at the end.
final class CheckOutput {
  /// The most findings that are written out for people.
  static let shown = 100

  var counts = StateCheck.Counts()
  var checkedStore = false
  /// Nil until the remote was looked at.
  var remote: RemoteCheckCounts?
  private(set) var damage = 0
  /// Nil where nothing was to be mended.
  private(set) var mended: Int?
  private(set) var unread = 0
  private let sink: any TextSink
  private let isJSON: Bool
  /// What the last finding advises, written once for all that advise the same.
  private var remedy = ""

  init(_ sink: any TextSink, isJSON: Bool) {
    self.sink = sink
    self.isJSON = isJSON
  }

  func add(_ finding: StateFinding) throws { try add(finding, reason: nil) }

  /// Tells what was mended, then what was not. Call it once the store was checked again.
  func tell(_ repair: CheckRepair.Outcome) throws {
    let done = repair.mended
    mended = done.count
    for finding in done {
      if isJSON { try sink.write(Self.json(finding, isMended: true).line) } else { try write(finding) }
    }
    repair.isTold = true
    for finding in repair.left { try add(finding, reason: repair.reasons[finding]) }
    if let failure = repair.failure, !isJSON {
      try sink.write("Nothing could be mended: \(HumanText.clean(failure))\n")
    }
  }

  private func add(_ finding: StateFinding, reason: String?) throws {
    damage += 1
    if isJSON { return try sink.write(Self.json(finding, isMended: mended == nil ? nil : false).line) }
    let why = reason.map { " (\($0))" } ?? ""
    let remedy = mended == nil ? finding.remedy : "Cannot be mended here\(why). \(finding.remedy)"
    try write(HumanText.clean(Self.text(finding)), HumanText.clean(remedy))
  }

  /// A finding that is no more.
  private func write(_ finding: StateFinding) throws {
    guard (mended ?? 0) <= Self.shown else { return }
    try sink.write("mended: \(HumanText.clean(Self.text(finding)))\n")
  }

  private static func text(_ finding: StateFinding) -> String {
    let key = finding.key.isEmpty ? "" : " " + finding.key.map(text).joined(separator: ", ")
    return (finding.table.map { "\($0)\(key): " } ?? "") + finding.message
  }

  func add(_ finding: FileFinding) throws {
    if finding.severity == .damage { damage += 1 }
    if finding.severity == .unread { unread += 1 }
    if isJSON { return try sink.write(Self.json(finding).line) }
    let name = finding.deviceName.map { " (\($0))" } ?? ""
    try write(
      HumanText.clean("\(finding.path)\(name): \(Self.named(finding))"), HumanText.clean(finding.remedy))
  }

  func finish() throws {
    if isJSON { return try sink.write(summary.line) }
    try flushRemedy()
    if damage + unread > Self.shown {
      try sink.write("... and \(damage + unread - Self.shown) more; --json tells all of them.\n")
    }
    var parts: [String] = []
    if checkedStore {
      parts.append("\(HumanText.number(counts.records, "record")), \(HumanText.number(counts.rows, "row"))")
    }
    if counts.values > 0 { parts.append("\(HumanText.number(counts.values, "value")) against sealed logs") }
    if let remote {
      parts.append(
        "\(HumanText.number(remote.devices, "device")) with \(HumanText.number(remote.files, "file")) "
          + "(\(HumanText.bytes(remote.bytes))) on the remote"
          + (remote.ignored > 0
            ? ", and \(HumanText.number(remote.ignored, "name")) there that \(remote.ignored == 1 ? "is" : "are") not Tributary's"
            : ""))
    }
    let verdict = (mended.map { "\($0) mended. " } ?? "") + self.verdict
    try sink.write("Checked \(parts.joined(separator: ", ")). \(verdict)\n")
  }

  private var verdict: String {
    damage > 0
      ? "\(HumanText.number(damage, "problem")) \(mended == nil ? "found" : "left")."
      : unread > 0 ? "No damage, but not everything could be looked at." : "No damage."
  }

  private func write(_ text: String, _ advice: String) throws {
    guard damage + unread <= Self.shown else { return }
    if advice != remedy { try flushRemedy() }
    remedy = advice
    try sink.write(text + "\n")
  }

  private func flushRemedy() throws {
    if !remedy.isEmpty { try sink.write(TextWrap.wrap("    " + remedy, width: 80, indent: "    ") + "\n") }
    remedy = ""
  }

  /// The message, with the device's name beside its id.
  private static func named(_ finding: FileFinding) -> String {
    guard let device = finding.device, let name = finding.deviceName else { return finding.message }
    return finding.message.replacing("device \(device)", with: "device \(device) (\(name))")
  }

  private var summary: JSONValue {
    var members: [(String, Int)] = [
      ("records", counts.records), ("rows", counts.rows), ("changes", counts.changes),
      ("values", counts.values), ("damage", damage), ("unread", unread),
    ]
    if let mended { members.append(("mended", mended)) }
    if let remote {
      members += [
        ("devices", remote.devices), ("files", remote.files), ("bytes", remote.bytes),
        ("ignoredNames", remote.ignored),
      ]
    }
    return .object(
      [JSONValue.Member(key: "event", value: "summary")]
        + members.map { JSONValue.Member(key: $0.0, value: .integer(Int64($0.1))) })
  }

  private static func json(_ finding: StateFinding, isMended: Bool?) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init(key: "event", value: "finding"), .init(key: "side", value: "local"),
      .init(key: "severity", value: "damage"), .init(key: "kind", value: .string("\(finding.code)")),
      .init(key: "table", value: finding.table.map { .string($0) } ?? .null),
      .init(key: "key", value: .array(finding.key.map(JSONValue.init(sql:)))),
      .init(key: "message", value: .string(finding.message)),
      .init(key: "remedy", value: .string(finding.remedy)),
    ]
    if let isMended { members.append(.init(key: "isMended", value: .bool(isMended))) }
    return .object(members)
  }

  private static func json(_ finding: FileFinding) -> JSONValue {
    [
      "event": "finding", "side": "remote", "severity": .string(finding.severity.rawValue),
      "file": .string(finding.path), "device": finding.device.map { .string("\($0)") } ?? .null,
      "deviceName": finding.deviceName.map { .string($0) } ?? .null,
      "message": .string(finding.message), "remedy": .string(finding.remedy),
    ]
  }

  /// A value of a key, for people.
  static func text(_ value: Value) -> String {
    if case .text(let bytes) = value { return "“\(String(decoding: bytes, as: UTF8.self))”" }
    return JSONValue(sql: value).text
  }
}
