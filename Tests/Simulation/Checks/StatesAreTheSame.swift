import TributaryModel

extension Check {
  /// All devices export one canonical state, byte for byte.
  static let statesAreTheSame = Check("all devices have the same state") { run in
    let first = try run.devices[0].canonical()
    return try run.devices.dropFirst().flatMap { device in
      let other = try device.canonical()
      let problems = differences(first, other)
      return problems.isEmpty ? [] : ["\(device.name) against \(run.devices[0].name):"] + problems
    }
  }

  static func differences(_ left: [Entry], _ right: [Entry]) -> [String] {
    left == right ? [] : differences(left.map(\.line), right.map(\.line)) + ["(or their order)"]
  }
}
