import Tributary
import TributaryCustody
import TributaryModel
import TributaryStore

/// One committed state of an attached database, and who is who in it.
struct Look {
  let attached: AttachedStore
  let view: StoreView
  /// Nil where this machine has no keys for the database.
  let secrets: DeviceSecrets?
  let names: DeviceNames

  /// The device that local edits are stamped with; one that nobody has where even that is not known.
  var own: DeviceID { names.own ?? DeviceID(high: 0, low: 0) }
}

extension AttachedStore {
  /// Runs `body` over one committed state. Nothing is waited for or changed, and keys are not needed.
  func looking<T>(_ context: ToolContext, _ body: (Look) throws -> T) throws -> T {
    let secrets = try? secrets(context)
    return try reading(context) { view in
      let names = try DeviceNames(view, own: secrets?.deviceID, ownName: try note(.deviceName))
      return try body(Look(attached: self, view: view, secrets: secrets, names: names))
    }
  }
}

/// What devices are called.
struct DeviceNames {
  let own: DeviceID?
  let ownName: String
  /// Ids under which this database wrote before.
  let former: Set<DeviceID>
  private let names: [DeviceID: String]

  /// - Parameter own: this device's id by its secrets; else the one that stamped the last edits.
  init(_ view: StoreView, own: DeviceID?, ownName: String) throws {
    let author = try DeviceID.list(view.note(.author)).first
    self.own = own ?? author
    self.ownName = ownName
    former = Set(try DeviceID.list(view.note(.lives))).subtracting([self.own].compactMap(\.self))
    names = try KnownPeer.all(view).compactMapValues(\.name)
  }

  /// As the device calls itself, not cleaned; nil while that is not known.
  subscript(device: DeviceID) -> String? { device == own ? ownName : names[device] }

  /// For people: the name, with the id where two devices have the same.
  func text(_ device: DeviceID) -> String {
    if device == own { return "this device" }
    if former.contains(device) { return "this device under a former id" }
    guard let name = names[device] else { return "device \(device)" }
    let isShared = name == ownName || names.contains { $0.key != device && $0.value == name }
    return HumanText.clean(name) + (isShared ? " (\(device))" : "")
  }

  func json(_ device: DeviceID) -> [JSONValue.Member] {
    [
      JSONValue.Member(key: "device", value: .string("\(device)")),
      JSONValue.Member(key: "deviceName", value: self[device].map { .string($0) } ?? .null),
    ]
  }
}

/// `--limit N`.
struct LimitOption {
  static let most = 100_000

  let count: Int

  init(_ command: ParsedCommand, standard: Int) throws {
    guard let text = command.value("--limit") else {
      count = standard
      return
    }
    guard let count = Int(text), (1...Self.most).contains(count) else {
      throw ToolError.usage("--limit takes a whole number from 1 to \(Self.most), not \"\(text)\"")
    }
    self.count = count
  }

  static func option(standard: Int) -> OptionSpec {
    OptionSpec(
      name: "--limit", valueName: "N", summary: "Show at most so many, else \(standard); the newest first.")
  }
}

extension JSONValue {
  init(members: [Member]...) { self = .object(members.flatMap(\.self)) }
}
