import Foundation
import Synchronization

/// The file that `TRIBUTARY_HISTORY` names. Runs are in it one after the other, each whole.
final class HistoryFile: Sendable {
  static let shared: HistoryFile? = {
    guard let path = ProcessInfo.processInfo.environment["TRIBUTARY_HISTORY"], !path.isEmpty else {
      return nil
    }
    guard FileManager.default.createFile(atPath: path, contents: nil) else { return nil }
    return FileHandle(forWritingAtPath: path).map { HistoryFile($0) }
  }()

  private let handle: Mutex<FileHandle>

  private init(_ handle: sending FileHandle) { self.handle = Mutex(handle) }

  func append(_ text: String) throws {
    try handle.withLock { try $0.write(contentsOf: Data(text.utf8)) }
  }
}
