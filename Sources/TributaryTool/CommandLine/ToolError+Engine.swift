import SQLite
import Tributary
import TributaryCodec
import TributaryCustody
import TributaryRemotes
import TributaryStore

extension ToolError {
  /// The tool's view of any error: the layers below know what happened, the shell gets one of the documented numbers.
  init(explaining error: any Error) {
    switch error {
    case let error as ToolError: self = error
    case let error as SyncError:
      self.init(Self.exitCode(error.code), error.message, remedy: Self.remedy(error.code))
    case let error as RemoteError: self.init(Self.exitCode(error.code), "\(error)")
    case let error as CustodyError: self.init(error.code == .busy ? .busy : .failure, "\(error)")
    case let error as ForeignFileError: self.init(.failure, error.message, remedy: error.remedy)
    case let error as CodecError where error.code == .password: self.init(.usage, error.message)
    case let error as StoreError where error.code == .damaged: self.init(.damage, "\(error)")
    case let error as DatabaseError where error.code.primary == .busy: self.init(.busy, "\(error)")
    case let error as DatabaseError where error.code.primary == .corrupt: self.init(.damage, "\(error)")
    default: self.init(.failure, "\(error)")
    }
  }

  /// What the message, which is the library's, cannot say: the tool's own options.
  private static func remedy(_ code: SyncError.Code) -> String? {
    switch code {
    case .nothingThere: "--new starts a new set."
    case .alreadyThere: "Leave out --new to attach to what is there."
    case .ownDirectoryMissing:
      "Attaching again: the same `tributary attach` as before; --new where the folder holds no devices at all."
    default: nil
    }
  }

  private static func exitCode(_ code: SyncError.Code) -> ExitCode {
    switch code {
    case .wrongPassword: .wrongPassword
    case .notAttached, .ownDirectoryMissing: .notAttached
    case .twin, .notStored, .unreadable: .damage
    case .unreachable: .remoteUnavailable
    case .remoteFull: .remoteFull
    case .busy: .busy
    case .unfitPassword: .usage
    default: .failure
    }
  }

  private static func exitCode(_ code: RemoteError.Code) -> ExitCode {
    switch code {
    case .retryable, .rateLimited, .notThere: .remoteUnavailable
    case .quota: .remoteFull
    default: .failure
    }
  }
}
