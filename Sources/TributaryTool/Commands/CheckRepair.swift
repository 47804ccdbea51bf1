import Tributary
import TributaryCustody
import TributaryModel
import TributaryStore

/// Mending what `check` finds in the database itself.
struct CheckRepair {
  /// The most findings that are mended in one go.
  static let limit = 100_000

  private let attached: AttachedStore
  private let secrets: DeviceSecrets?
  private let context: ToolContext

  init(_ attached: AttachedStore, _ secrets: DeviceSecrets?, _ context: ToolContext) {
    (self.attached, self.secrets, self.context) = (attached, secrets, context)
  }

  /// What was found, and of it what a second check still finds.
  final class Outcome {
    let found: [StateFinding]
    /// Why rows were left that could have been taken in.
    let reasons: [StateFinding: String]
    /// What kept everything from being mended.
    let failure: String?
    /// What the second check finds, until it is told.
    private(set) var left: [StateFinding] = []
    var isTold = false

    init(found: [StateFinding], reasons: [StateFinding: String] = [:], failure: String? = nil) {
      (self.found, self.reasons, self.failure) = (found, reasons, failure)
    }

    /// Keeps a finding of the second check until all of them are known; false once they were told.
    func takes(_ finding: StateFinding) -> Bool {
      if !isTold { left.append(finding) }
      return !isTold
    }

    var mended: [StateFinding] {
      let left = Set(left)
      return found.filter { !left.contains($0) }
    }
  }

  /// - Parameter findings: looks for what is wrong, while no sync runs.
  func run(_ findings: () throws -> [StateFinding]) async throws -> Outcome {
    let lock = try await attached.lock(context, tries: SQLCommand.lockTries)
    defer { lock.release() }
    let found = try findings()
    guard !found.isEmpty else { return Outcome(found: []) }
    do {
      let store = try attached.open(.atRows)
      defer { store.close() }
      let reasons = try store.repair(found, as: device(store), wall: Machinery.wallClock())
      return Outcome(found: found, reasons: reasons)
    } catch let error as ToolError where error.exitCode == .busy || error.exitCode == .interrupted {
      throw error
    } catch {
      // What was found is told all the same; a database in this state may not even open to be written.
      return Outcome(found: found, failure: ToolError(explaining: error).message)
    }
  }

  /// The device that the edits of this database are stamped with.
  private func device(_ store: StoreCore) throws -> DeviceID {
    if case .blob(let bytes)? = try store.note(.author), let device = DeviceID(bytes: bytes) { return device }
    guard let secrets else { throw attached.noKeys }
    return secrets.deviceID
  }
}
