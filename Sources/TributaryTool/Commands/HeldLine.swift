import TributaryModel
import TributaryStore
import TributaryWire

/// Why entries of one device are kept without being applied.
struct HeldLine {
  /// The most held entries that are looked at.
  static let limit = 1_000

  /// What has to come before the entry can be applied.
  enum Wait {
    case build, schema, rule, clock, sync
  }

  let device: DeviceID
  let reason: String
  let wait: Wait
  var count = 1
  /// Until when a clock has to go on, in milliseconds since 1970.
  var until: Int64?

  var text: String {
    let when = until.map { ", until \(HumanText.time(milliseconds: $0))" } ?? ""
    return "\(count) from device \(device): \(HumanText.clean(reason))\(when)"
  }

  var json: JSONValue {
    [
      "device": .string("\(device)"), "reason": .string(reason), "count": .integer(Int64(count)),
      "untilMilliseconds": until.map { .integer($0) } ?? .null,
    ]
  }

  /// One line a device and reason, in the order in which they first came.
  static func lines(_ items: [HeldItem], _ build: Build) -> [HeldLine] {
    var lines: [HeldLine] = []
    for item in items {
      let line = HeldLine(item, build)
      if let index = lines.firstIndex(where: { $0.device == line.device && $0.reason == line.reason }) {
        lines[index].count += 1
        if let until = line.until { lines[index].until = max(lines[index].until ?? until, until) }
      } else {
        lines.append(line)
      }
    }
    return lines
  }

  init(_ item: HeldItem, _ build: Build) {
    device = item.device
    // The note of when it came is for the log; what holds it now is worked out again.
    guard item.type != nil, let entry = try? EntryCoding.decode(item.bytes, format: build.format),
      case .hold(let hold) = Admission.decide(entry, by: build, wall: Machinery.wallClock())
    else {
      reason = item.type == nil ? item.reason : "ready for the next sync"
      wait = item.type == nil ? .build : .sync
      return
    }
    reason = Self.text(hold, entry.name.type)
    wait = Self.wait(hold)
    if case .future(let moment) = hold { until = moment.milliseconds - Clock.tolerance }
  }

  private static func text(_ hold: HoldReason, _ type: String) -> String {
    switch hold {
    case .format(let format): "needs a build that reads format \(format)"
    case .schemaVersion(let version): "needs a build with version \(version) of the schema"
    case .unknownType: "the schema here has no table \(type)"
    case .refused(let field, let problem):
      field.isEmpty ? "a key of \(type) \(problem)" : "\(field) of \(type) \(problem)"
    case .future: "it comes from a clock that is ahead"
    }
  }

  private static func wait(_ hold: HoldReason) -> Wait {
    switch hold {
    case .format: .build
    case .schemaVersion, .unknownType: .schema
    case .refused: .rule
    case .future: .clock
    }
  }
}
