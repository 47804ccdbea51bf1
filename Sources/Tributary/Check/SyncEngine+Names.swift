package import TributaryModel
import TributaryWire

extension SyncEngine {
  /// What a peer calls itself; nil if its head does not tell now.
  package func name(of peer: DeviceID) -> String? {
    guard let head = try? head(of: peer), !head.deviceName.isEmpty else { return nil }
    return head.deviceName
  }
}
