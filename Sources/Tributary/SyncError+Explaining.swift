import TributaryCodec
import TributaryCustody
import TributaryRemotes
import TributaryStore
import TributaryWire

extension SyncError {
  /// Runs `body`, and throws what it throws as an app may match it.
  static func explained<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch {
      throw explaining(error)
    }
  }

  static func explaining(_ error: any Error) -> any Error {
    switch error {
    case let error as RemoteError: SyncError(code(of: error), "\(error)")
    case let error as CustodyError: SyncError(error.code == .busy ? .busy : .secrets, "\(error)")
    case let error as CodecError:
      SyncError(error.code == .password ? .unfitPassword : .unreadable, error.message)
    case let error as WireError: SyncError(.unreadable, error.message)
    default: StoreError.explaining(error)
    }
  }

  private static func code(of error: RemoteError) -> Code {
    switch error.code {
    case .retryable, .rateLimited, .notThere: .unreachable
    case .quota: .remoteFull
    default: .remoteRefused
    }
  }
}
