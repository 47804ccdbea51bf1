import CSQLite
import CSodium
import CZstd

/// SQLite's session extension on a plain database: the peer that comes with SQLite itself.
final class Session {
  private let plain: Plain
  private var session: OpaquePointer?

  /// Records what happens to the database from now on.
  init(_ plain: Plain) {
    self.plain = plain
    begin()
  }

  func end() { sqlite3session_delete(session) }

  private func begin() {
    sqlite3session_create(plain.handle, "main", &session)
    sqlite3session_attach(session, nil)
  }

  /// What was recorded, and a new beginning.
  func take() -> [UInt8] {
    var count: Int32 = 0
    var bytes: UnsafeMutableRawPointer?
    sqlite3session_changeset(session, &count, &bytes)
    defer { sqlite3_free(bytes) }
    end()
    begin()
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count)))
  }

  /// Compressed and sealed, as much as a log is. The number of bytes.
  static func seal(_ changes: [UInt8]) -> Int {
    var packed = [UInt8](repeating: 0, count: ZSTD_compressBound(changes.count))
    let count = ZSTD_compress(&packed, packed.count, changes, changes.count, 1)
    var sealed = [UInt8](repeating: 0, count: count + Int(crypto_aead_xchacha20poly1305_ietf_ABYTES))
    var length: UInt64 = 0
    let (nonce, key) = ([UInt8](repeating: 1, count: 24), [UInt8](repeating: 2, count: 32))
    crypto_aead_xchacha20poly1305_ietf_encrypt(
      &sealed, &length, packed, UInt64(count), nil, 0, nil, nonce, key)
    return Int(length)
  }

  /// Merges changes; what cannot be merged is left out.
  static func apply(_ changes: [UInt8], to plain: Plain) {
    var changes = changes
    plain.run("BEGIN IMMEDIATE")
    sqlite3changeset_apply(
      plain.handle, Int32(changes.count), &changes, nil, { _, _, _ in SQLITE_CHANGESET_OMIT }, nil)
    plain.run("COMMIT")
  }
}
