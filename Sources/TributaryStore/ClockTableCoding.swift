import TributaryModel

/// Goes through the records of a block, checking everything on the way.
struct ClockBlockReader {
  let block: ClockBlock
  /// The current record's identity, once ``next()`` has returned true.
  private(set) var key: [UInt8] = []
  /// Where the current record's clock lies in the block; the same for records that share it.
  private(set) var clock = 0..<0
  private var position = ClockBlock.headerLength

  /// - Throws: ``StoreError`` `.damaged` for an unknown layout or a wrong checksum.
  init(_ block: ClockBlock) throws {
    self.block = block
    let data = block.data
    guard let version = data.first else { throw block.damaged("it is empty") }
    guard version == ClockBlock.version else {
      throw block.damaged("its layout is \(version), which this build does not know")
    }
    guard data.count > ClockBlock.headerLength else { throw block.damaged("it is too short") }
    guard (1...RecordID.maximumLength).contains(block.lo.count) else {
      throw block.damaged("its first identity is \(block.lo.count) bytes long")
    }
    let sum = (0..<4).reduce(UInt32(0)) { $0 | UInt32(data[1 + $1]) << (8 * UInt32($1)) }
    guard sum == ClockBlock.checksum(data, block.type, block.lo) else {
      throw block.damaged("its checksum does not match")
    }
    key.reserveCapacity(64)
  }

  /// Goes to the next record; false at the end.
  mutating func next() throws -> Bool {
    if key.isEmpty {
      key.append(contentsOf: block.lo)
      try readClock()
      return true
    }
    if position == block.data.count { return false }
    let head = try readNumber()
    let shared = try readNumber()
    let suffix = try take(head >> 1)
    guard !suffix.isEmpty, shared <= key.count, shared + suffix.count <= RecordID.maximumLength else {
      throw block.damaged("an identity has an impossible length")
    }
    if shared < key.count {
      guard block.data[suffix.lowerBound] > key[shared] else {
        throw block.damaged("its identities are not in order")
      }
      key.removeSubrange(shared...)
    }
    key.append(contentsOf: block.data[suffix])
    if head & 1 == 0 { try readClock() }
    return true
  }

  private mutating func readClock() throws { clock = try take(readNumber()) }

  private mutating func take(_ count: Int) throws -> Range<Int> {
    guard count <= block.data.count - position else { throw block.damaged("it ends early") }
    defer { position += count }
    return position..<position + count
  }

  private mutating func readNumber() throws -> Int {
    var number = 0
    for shift in stride(from: 0, to: 28, by: 7) {
      guard position < block.data.count else { throw block.damaged("it ends early") }
      let byte = block.data[position]
      position += 1
      number |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return number }
    }
    throw block.damaged("a number is too long")
  }
}

/// Packs records, given in order, into blocks.
struct ClockBlockBuilder {
  private let type: Int64
  /// Bytes to which the current block may grow; then it is ``ClockBlock/limit`` again.
  private var limit: Int
  private var lo: [UInt8] = []
  private var data: [UInt8] = []
  private var key: [UInt8] = []
  private var clock = 0..<0

  init(type: Int64, firstLimit: Int = ClockBlock.limit) {
    self.type = type
    limit = firstLimit
  }

  /// Adds a record. If it does not fit any more, it begins a new block, and the full one is returned.
  @inline(__always)
  mutating func add(_ id: [UInt8], _ bytes: UnsafeRawBufferPointer) throws -> ClockBlock? {
    if data.isEmpty {
      begin(id, bytes)
      return nil
    }
    let shared = try sharedPrefix(id)
    let isSame = data.withUnsafeBytes {
      clock.count == bytes.count && ByteOrder.commonPrefix(.init(rebasing: $0[clock]), bytes) == bytes.count
    }
    let suffix = id.count &- shared
    if lo.count + data.count + 4 + suffix + (isSame ? 0 : bytes.count + 2) > limit {
      let full = finish()
      begin(id, bytes)
      return full
    }
    append(suffix << 1 | (isSame ? 1 : 0))
    append(shared)
    data.append(contentsOf: id[shared...])
    if !isSame { append(bytes) }
    if shared < key.count { key.removeSubrange(shared...) }
    key.append(contentsOf: id[shared...])
    return nil
  }

  /// The block with all that came after the last one returned; nil if nothing came.
  mutating func finish() -> ClockBlock? {
    guard !data.isEmpty else { return nil }
    ClockBlock.seal(&data, type: type, lo: lo)
    defer {
      data.removeAll(keepingCapacity: true)
      limit = ClockBlock.limit
    }
    return ClockBlock(type: type, lo: lo, data: data)
  }

  private mutating func begin(_ id: [UInt8], _ bytes: UnsafeRawBufferPointer) {
    lo = id
    key.removeAll(keepingCapacity: true)
    key.append(contentsOf: id)
    data.reserveCapacity(ClockBlock.limit)
    data.append(contentsOf: repeatElement(0, count: ClockBlock.headerLength))
    append(bytes)
  }

  @inline(__always)
  private func sharedPrefix(_ id: [UInt8]) throws -> Int {
    let shared = key.withUnsafeBytes { key in id.withUnsafeBytes { ByteOrder.commonPrefix(key, $0) } }
    guard shared < id.count, shared == key.count || key[shared] < id[shared] else {
      throw ClockBlock(type: type, lo: lo, data: data).damaged("records came to it out of order")
    }
    return shared
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    append(bytes.count)
    clock = data.count..<data.count + bytes.count
    data.append(contentsOf: bytes)
  }

  @inline(__always)
  private mutating func append(_ number: Int) {
    var rest = number
    while rest >= 0x80 {
      data.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    data.append(UInt8(truncatingIfNeeded: rest))
  }
}
