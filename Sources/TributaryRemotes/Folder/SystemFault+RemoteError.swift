#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension SystemFault {
  package var description: String { "\(call): \(String(cString: strerror(number)))" }

  /// What the engine should make of this failure.
  var code: RemoteError.Code {
    switch number {
    case ENOSPC, EDQUOT: .quota
    case EFBIG, EOVERFLOW: .tooLarge
    case EROFS, EACCES, EPERM: .forbidden
    case ENOTDIR, ELOOP, EISDIR, ENXIO: .wrongKind
    case ENOENT, ENODEV: .notThere
    case EIO, EINTR, EAGAIN, EBUSY, ESTALE, ETIMEDOUT, EMFILE, ENFILE, ENOMEM, ETXTBSY, EEXIST, ENOTCONN,
      EHOSTDOWN, EHOSTUNREACH, ENETDOWN, ENETUNREACH, ECONNRESET:
      .retryable
    default: .permanent
    }
  }

  /// This failure as the remote reports it.
  func explained(_ doing: String, _ place: String) -> RemoteError {
    RemoteError(code, "Could not \(doing) \(place).", remedy: remedy, cause: self)
  }

  private var remedy: String {
    switch code {
    case .quota: "Free some space there; uploads go on by themselves."
    case .forbidden: "Allow this user to read and write the folder."
    case .wrongKind: "Something that is not an ordinary file or folder stands there: move it away."
    case .notThere: "Mount or create the folder, or choose another."
    case .tooLarge: "Move what does not belong there out of the folder."
    default: ""
    }
  }
}
