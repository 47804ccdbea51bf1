import Tributary
import TributaryCustody
import TributaryModel
import TributaryStore

/// Ends this device's part in the set.
struct DetachCommand: CommandRunner {
  let spec = CommandSpec.detach

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    let attached = try AttachedStore.find(command.argument("DATABASE") ?? "")
    let remote = try attached.note(.remote)
    let lock = try await attached.lock(context, tries: SQLCommand.lockTries)
    defer { lock.release() }
    let unsent = try DatabaseFile.naming(attached.path) {
      let store = try attached.open()
      defer { store.close() }
      try store.detach(
        context.vault(attached.note(.store)), removing: attached.notesOfAttachment.map(\.key))
      return try store.unsealedWrites() + store.unsentFileCount()
    }
    let path = HumanText.clean(attached.path)
    let left =
      unsent > 0
      ? "What was not sent yet is kept, and sent by the sync after the next attach.\n"
      : "Everything that was written here had been sent.\n"
    try context.output.write(
      """
      \(path) is not attached to \(HumanText.clean(remote)) any more, and this device's keys are forgotten.
      \(left)The data stays here, and what this device wrote stays on the remote; the other devices are not told.
      \(attached.isAdopted ? Self.adopted : Self.guarded)
      elsewhere: tributary attach \(KeyWords.quoted(path)) REMOTE\(attached.isAdopted ? "" : " --schema FILE")

      """)
    return .success
  }

  private static let guarded =
    "The tables stay guarded: other programs can read them, not change them. To attach it again, there or"
  private static let adopted =
    "Edits are noted on; `tributary adopt --undo` would end that. To attach it again, there or"
}

extension AttachedStore {
  /// What ends with an attachment. The name of the secrets and of the lock stays until the next attach gives another, and
  /// the schema of an adopted database is its own.
  fileprivate var notesOfAttachment: [Note] {
    [.attached, .remote, .deviceName] + (isAdopted ? [] : [.schemaJSON])
  }
}
