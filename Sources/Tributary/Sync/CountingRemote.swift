import Synchronization
import TributaryModel
package import TributaryRemotes

/// A remote that counts what is asked of it, and answers for files that cannot be read.
package final class CountingRemote: Sendable {
  /// What one sync cost.
  package struct Count: Hashable, Sendable {
    package var requests = 0
    package var bytesRead = 0
    package var bytesWritten = 0
  }

  private let base: any Remote
  private let state = Mutex(Count())

  init(_ base: any Remote) { self.base = base }

  /// The count since this was last called.
  func take() -> Count {
    state.withLock { count in
      defer { count = Count() }
      return count
    }
  }

  private func note(read: Int = 0, written: Int = 0) {
    state.withLock {
      $0.requests += 1
      $0.bytesRead += read
      $0.bytesWritten += written
    }
  }
}

extension CountingRemote: Remote {
  package var identity: String { get throws { try base.identity } }
  package var clock: Int64? { base.clock }

  package func publish(_ name: RemoteName, _ bytes: [UInt8]) throws -> PublishOutcome {
    note(written: bytes.count)
    return try base.publish(name, bytes)
  }

  package func replace(_ name: RemoteName, _ bytes: [UInt8]) throws {
    note(written: bytes.count)
    try base.replace(name, bytes)
  }

  package func read(_ name: RemoteName, ifNot tag: Tag?, limit: Int) throws -> ReadOutcome {
    do {
      let outcome = try base.read(name, ifNot: tag, limit: limit)
      if case .bytes(let bytes, _) = outcome { note(read: bytes.count) } else { note() }
      return outcome
    } catch let error as RemoteError where Self.isOfOneFile(error.code) {
      note()
      return .listedButRefused("\(error)")
    }
  }

  /// What is wrong with a single file stops only the device whose it is.
  private static func isOfOneFile(_ code: RemoteError.Code) -> Bool {
    [.tooLarge, .forbidden, .wrongKind].contains(code)
  }

  package func list(device: DeviceID?) throws -> Listing {
    note()
    return try base.list(device: device)
  }

  package func delete(_ name: RemoteName) throws {
    note()
    try base.delete(name)
  }

  package func usage() throws -> Usage {
    note()
    return try base.usage()
  }

  package func probe() throws -> Capabilities {
    note()
    return try base.probe()
  }

  package func sweep(_ device: DeviceID) throws -> Int { try base.sweep(device) }
}
