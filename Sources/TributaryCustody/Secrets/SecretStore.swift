/// A place for a device's secrets, outside every database.
package protocol SecretStore: Sendable {
  /// The bytes of a name; nil if there are none, or if they were brought here from another machine.
  func read(_ name: String) throws -> [UInt8]?

  /// Stores bytes for good: after a crash at any moment the name has the old bytes or the new ones.
  func write(_ name: String, _ bytes: [UInt8]) throws

  /// Forgets a name; one that is not there is a success.
  func remove(_ name: String) throws
}

/// The names that a secret may have.
package enum SecretName {
  /// Throws unless the name is 1 to 64 of `a-z`, `0-9` and `-`, and does not begin with `-`.
  package static func check(_ name: String) throws {
    let isSound =
      (1...64).contains(name.utf8.count) && !name.hasPrefix("-")
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
    guard isSound else {
      throw CustodyError(
        .badName, "\"\(name.prefix(64))\" cannot name a secret: use a-z, 0-9 and -, at most 64.")
    }
  }
}
