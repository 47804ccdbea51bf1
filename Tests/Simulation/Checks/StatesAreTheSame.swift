extension Check {
  /// All devices export one canonical state, byte for byte.
  static let statesAreTheSame = Check("all devices have the same state") { run in
    let first = try run.devices[0].canonical()
    return try run.devices.dropFirst().flatMap { device in
      let other = try device.canonical()
      guard other != first else { return [] as [String] }
      return ["\(device.name) against \(run.devices[0].name):"]
        + differences(first.map(\.line), other.map(\.line))
    }
  }
}
