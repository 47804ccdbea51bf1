/// Map keys in their one order, and items passed over whole.
extension CBORReader {
  /// A map's next unsigned key, greater than the one before (nil for the first).
  package mutating func readMapKey(after previous: UInt64?) throws(CodecError) -> UInt64 {
    let start = input.position
    let key = try readUInt()
    if let previous, key <= previous { throw disorder(key == previous, start) }
    return key
  }

  /// A map's next text key of at most `limit` bytes, after the one before (nil for the first).
  ///
  /// The order is that of the encodings, so a shorter key goes before a longer one.
  package mutating func readMapKey(after previous: String?, limit: Int) throws(CodecError) -> String {
    let start = input.position
    let key = try readText(limit: limit)
    if let previous {
      let (old, new) = (previous.utf8, key.utf8)
      let ascends = old.count == new.count ? old.lexicographicallyPrecedes(new) : old.count < new.count
      // Compared as bytes: strings that are canonically equivalent are still different keys.
      if !ascends { throw disorder(old.elementsEqual(new), start) }
    }
    return key
  }

  /// Passes over one item, however it is nested, with every check that reading it would make.
  package mutating func skip() throws(CodecError) {
    switch try peekType() {
    case .unsigned: _ = try readUInt()
    case .negative: _ = try readNegative()
    case .bytes: _ = try readString(.bytes, limit: .max)
    case .text: _ = try readString(.text, limit: .max)
    case .double: _ = try readDouble()
    case .null: try readNull()
    case .bool: _ = try readBool()
    case .array:
      let count = try readArray()
      for _ in 0..<count { try skip() }
    case .map: try skipMap()
    }
  }

  private mutating func skipMap() throws(CodecError) {
    let count = try readMap()
    var previous: ArraySlice<UInt8>?
    for _ in 0..<count {
      let start = input.position
      try skip()
      let key = input.bytes[start..<input.position]
      if let previous, !previous.lexicographicallyPrecedes(key) { throw disorder(previous == key, start) }
      previous = key
      try skip()
    }
  }

  @inline(never)
  private func disorder(_ isSame: Bool, _ offset: Int) -> CodecError {
    isSame
      ? CodecError(.duplicateKey, "A map key at offset \(offset) repeats the one before.")
      : CodecError(.keyOrder, "A map key at offset \(offset) does not follow the one before.")
  }
}
