import Glibc

/// A growing run of plain memory, reached through a pointer: what the hook writes costs no retain and no check.
///
/// Whoever makes one frees it with ``deallocate()``.
struct CaptureBytes {
  private(set) var base: UnsafeMutableRawPointer
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int) {
    base = .allocate(byteCount: capacity, alignment: 8)
    self.capacity = capacity
  }

  func deallocate() { base.deallocate() }

  /// Room for `extra` more bytes.
  @inline(__always)
  mutating func reserve(_ extra: Int) {
    if count &+ extra > capacity { grow(extra) }
  }

  @inline(never)
  private mutating func grow(_ extra: Int) {
    let larger = max(capacity * 2, count + extra)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 8)
    moved.copyMemory(from: base, byteCount: count)
    base.deallocate()
    base = moved
    capacity = larger
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count &+= 1
  }

  @inline(__always)
  mutating func append(_ word: UInt64) {
    reserve(8)
    base.storeBytes(of: word, toByteOffset: count, as: UInt64.self)
    count &+= 8
  }

  @inline(__always)
  mutating func append(_ source: UnsafeRawPointer?, _ length: Int) {
    guard length > 0, let source else { return }
    reserve(length)
    memcpy(base + count, source, length)
    count &+= length
  }

  /// Forgets what was written after `length`.
  @inline(__always)
  mutating func cut(to length: Int) { count = length }

  /// Overwrites what was there, and gives memory back after an unusually large transaction.
  mutating func wipe() {
    memset(base, 0, count)
    clear()
  }

  /// Empties the buffer, and gives memory back after an unusually large transaction.
  mutating func clear() {
    count = 0
    let usual = 1 << 24
    guard capacity > usual else { return }
    base.deallocate()
    base = .allocate(byteCount: usual, alignment: 8)
    capacity = usual
  }
}
