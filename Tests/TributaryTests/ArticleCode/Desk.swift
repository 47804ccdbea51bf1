import Tributary

/// Where the articles' code runs: a temporary folder that also keeps the devices' secrets.
enum Desk {
  @TaskLocal static var secrets: String?

  static func run(_ body: (Place) async throws -> Void) async throws {
    let place = try Place()
    try await $secrets.withValue(place.path("secrets")) { try await body(place) }
  }

  /// Lets the clocks of two devices, which are one here, tell what was first.
  static func pause() async throws { try await Task.sleep(for: .milliseconds(5)) }
}

/// The articles leave the state directory out, as apps do; these overloads put it into the test's folder.
extension Store {
  func attach(_ location: RemoteLocation, password: String, deviceName: String, create: Bool) throws -> Link {
    try attach(
      location, password: password, deviceName: deviceName, create: create, stateDirectory: Desk.secrets)
  }

  func link(_ location: RemoteLocation, deviceName: String) throws -> Link? {
    try link(location, deviceName: deviceName, stateDirectory: Desk.secrets)
  }
}
