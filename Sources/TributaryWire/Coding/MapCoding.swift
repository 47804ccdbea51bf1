import TributaryCodec

/// Collects a map's pairs, so that parts may be left out and the count is still right. Keys must ascend.
struct MapWriter {
  private(set) var count = 0
  private var pairs: CBORWriter

  init(capacity: Int = 64) { pairs = CBORWriter(capacity: capacity) }

  /// The pairs alone, without the head of the map.
  var pairBytes: [UInt8] { pairs.bytes }

  var bytes: [UInt8] {
    var output = CBORWriter(capacity: pairs.count + 3)
    output.write(map: count)
    output.write(encoded: pairs.bytes)
    return output.bytes
  }

  mutating func put(_ key: UInt64, _ write: (inout CBORWriter) throws -> Void) rethrows {
    pairs.write(uint: key)
    try write(&pairs)
    count += 1
  }

  mutating func put(_ key: UInt64, uint value: UInt64?) {
    if let value { put(key) { $0.write(uint: value) } }
  }

  mutating func put(_ key: UInt64, text value: String?) {
    if let value { put(key) { $0.write(text: value) } }
  }

  mutating func put(_ key: UInt64, bytes value: [UInt8]?) {
    if let value { put(key) { $0.write(bytes: value) } }
  }

  mutating func put(_ key: UInt64, flag value: Bool) {
    if value { put(key) { $0.write(bool: true) } }
  }

  mutating func put<Item>(
    _ key: UInt64, list: [Item], _ write: (inout CBORWriter, Item) throws -> Void
  ) rethrows {
    guard !list.isEmpty else { return }
    try put(key) { output in
      output.write(array: list.count)
      for item in list { try write(&output, item) }
    }
  }
}

extension CBORReader {
  /// Reads a whole body that is one map.
  static func readWhole(
    _ bytes: [UInt8], _ read: (UInt64, inout CBORReader) throws -> Bool
  ) throws {
    var reader = CBORReader(bytes)
    try reader.readFields(read)
    try reader.finish()
  }

  /// Reads a map with integer keys. A key for which `read` is false is one of a later build, and passed over.
  mutating func readFields(_ read: (UInt64, inout CBORReader) throws -> Bool) throws {
    let count = try readMap()
    var previous: UInt64?
    for _ in 0..<count {
      let key = try readMapKey(after: previous)
      previous = key
      if try !read(key, &self) { try skip() }
    }
  }

  /// Reads an array, item by item.
  mutating func readList<Item>(
    limit: Int, _ read: (inout CBORReader) throws -> Item
  ) throws -> [Item] {
    let count = try readArray(limit: limit)
    var items: [Item] = []
    items.reserveCapacity(min(count, 1024))
    for _ in 0..<count { items.append(try read(&self)) }
    return items
  }

  /// Reads an array of at least `least` items; the later ones, of a later build, are passed over.
  mutating func readTuple<Result>(
    least: Int, _ read: (inout CBORReader, _ count: Int) throws -> (Result, used: Int)
  ) throws -> Result {
    let count = try readArray()
    guard count >= least else {
      throw WireError(.malformed, "An array has \(count) items, at least \(least) were expected.")
    }
    let (result, used) = try read(&self, count)
    for _ in used..<max(used, count) { try skip() }
    return result
  }

  /// A byte string of exactly `count` bytes.
  mutating func readExactly(_ count: Int) throws -> [UInt8] {
    let bytes = try readBytes(limit: count)
    guard bytes.count == count else {
      throw WireError(.malformed, "A byte string has \(bytes.count) bytes instead of \(count).")
    }
    return bytes
  }
}
