/// A set of a record type's fields, by their local numbers. The first 64 take no allocation.
package struct FieldMask: Hashable, Sendable {
  private var low: UInt64
  private var high: [UInt64]

  package init() {
    low = 0
    high = []
  }

  package init(low: UInt64) {
    self.low = low
    high = []
  }

  package init(_ numbers: some Sequence<Int>) {
    self.init()
    for number in numbers { insert(number) }
  }

  package var isEmpty: Bool { low == 0 && high.isEmpty }

  package mutating func insert(_ number: Int) {
    if number < 64 {
      low |= 1 << UInt64(number)
      return
    }
    let word = number / 64 - 1
    while high.count <= word { high.append(0) }
    high[word] |= 1 << UInt64(number % 64)
  }

  package func contains(_ number: Int) -> Bool {
    if number < 64 { return low >> UInt64(number) & 1 == 1 }
    let word = number / 64 - 1
    return word < high.count && high[word] >> UInt64(number % 64) & 1 == 1
  }

  package mutating func formUnion(_ other: FieldMask) {
    low |= other.low
    while high.count < other.high.count { high.append(0) }
    for index in other.high.indices { high[index] |= other.high[index] }
  }

  package mutating func subtract(_ other: FieldMask) {
    low &= ~other.low
    for index in high.indices where index < other.high.count { high[index] &= ~other.high[index] }
    trim()
  }

  package func union(_ other: FieldMask) -> FieldMask {
    var copy = self
    copy.formUnion(other)
    return copy
  }

  /// The words, lowest first, without zero words at the end: the form that is stored.
  package var words: [UInt64] { isEmpty ? [] : [low] + high }

  package init(words: [UInt64]) {
    low = words.first ?? 0
    high = Array(words.dropFirst())
    trim()
  }

  private mutating func trim() {
    while high.last == 0 { high.removeLast() }
  }
}

/// The numbers, in order.
extension FieldMask: Sequence {
  package struct Iterator: IteratorProtocol {
    private let words: [UInt64]
    private var position = 0
    private var rest: UInt64

    init(_ words: [UInt64]) {
      self.words = words
      rest = words.first ?? 0
    }

    package mutating func next() -> Int? {
      while rest == 0 {
        position += 1
        guard position < words.count else { return nil }
        rest = words[position]
      }
      defer { rest &= rest &- 1 }
      return position * 64 + rest.trailingZeroBitCount
    }
  }

  package func makeIterator() -> Iterator { Iterator(words) }
}
