import Foundation
import Testing

@testable import TributaryTool

/// Programs of this machine that know nothing of Tributary.
enum OtherProgram {
  static let sqlite = "/usr/bin/sqlite3"
  static let python = "/usr/bin/python3"

  static var arePresent: Bool {
    [sqlite, python].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
  }
}

extension Place {
  /// Makes a database, or changes it, in the sqlite3 shell.
  func make(_ device: String, _ sql: String) throws {
    let run = try sqlite(device, sql)
    try #require(run.code == 0, "\(run)")
  }

  /// Runs SQL in the sqlite3 shell.
  @discardableResult
  func sqlite(_ device: String, _ sql: String) throws -> ChildProcess {
    try ChildProcess.run(OtherProgram.sqlite, ["-bail", database(device), sql])
  }

  /// Runs Python with the database open as `db`.
  @discardableResult
  func python(_ device: String, _ script: String) throws -> ChildProcess {
    let start = "import sqlite3,sys,os,signal\ndb=sqlite3.connect(sys.argv[1])\n"
    return try ChildProcess.run(OtherProgram.python, ["-c", start + script, database(device)])
  }

  /// A database that the given SQL makes, adopted and attached; the first device starts the set.
  func adopt(_ device: String, _ sql: String, isFirst: Bool = true) async throws {
    try make(device, sql)
    try await adopt(device, isFirst: isFirst)
  }

  func adopt(_ device: String, isFirst: Bool = true) async throws {
    let adopted = await run(device, "adopt", "--shared-integer-keys", "--name", "com.example.app")
    try #require(adopted.code == .success, "\(adopted)")
    let attached = await run(
      device, "attach", words: [remote, "--device", device] + (isFirst ? ["--new"] : []))
    try #require(attached.code == .success, "\(attached)")
  }

  /// The first sync of an adopted database.
  func send(_ device: String) async throws {
    let sync = await run(device, "sync")
    try #require(sync.code == .success, "\(sync)")
  }

  func join(_ device: String) async throws {
    let joined = await run(device, "join", remote, "--device", device)
    try #require(joined.code == .success, "\(joined)")
  }

  /// The canonical exports of the devices, which must be synced.
  func exports(_ devices: String...) async throws -> [String] {
    var exports: [String] = []
    for device in devices {
      let run = await run(device, "export", "--canonical")
      try #require(run.code == .success, "\(run)")
      exports.append(run.output)
    }
    return exports
  }

  /// Whether `check` finds nothing on any of the devices.
  func areSound(_ devices: String...) async -> Bool {
    for device in devices {
      let check = await run(device, "check")
      if check.code != .success {
        Issue.record("\(device): \(check)")
        return false
      }
    }
    return true
  }
}
