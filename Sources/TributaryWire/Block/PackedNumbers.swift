import TributaryCodec
import TributaryModel

/// A column of which every value is an integer, or every value a real, without a head for each.
///
/// Integers: a byte `mode * 16 + width`; a number in zigzag form; then `width` planes of one byte a value, the lowest bytes
/// first. In mode 0 the number is the least value, and the planes hold what each value has above it. In mode 1 it is
/// the first value, and the planes hold each value's difference from the one before, in zigzag form (0 for the first).
///
/// Reals: a byte. Up to 4 it is a count of decimals, and integers follow: a value is the integer divided by that power
/// of ten. 255: eight planes of the bits, the lowest first.
enum PackedNumbers {
  /// Fewer values are not packed.
  static let least = 8

  private static let powers: [Double] = [1, 10, 100, 1000, 10000]

  static func encode(_ values: [Int64]) -> [UInt8] {
    let base = values.min() ?? 0
    let offsets = values.map { UInt64(bitPattern: $0 &- base) }
    var steps: [UInt64] = []
    steps.reserveCapacity(values.count)
    var previous = values.first ?? 0
    for value in values {
      let step = value &- previous
      steps.append(UInt64(bitPattern: step << 1 ^ step >> 63))
      previous = value
    }
    let isStepped = width(of: steps) < width(of: offsets)
    var output = ByteWriter(capacity: values.count * 4)
    let planes = isStepped ? steps : offsets
    let width = width(of: planes)
    output.write(u8: UInt8((isStepped ? 16 : 0) + width))
    output.write(zigzag: isStepped ? values.first ?? 0 : base)
    write(planes, width: width, to: &output)
    return output.bytes
  }

  static func encode(_ values: [Double]) -> [UInt8] {
    var output = ByteWriter(capacity: values.count * 4)
    for (decimals, power) in powers.enumerated() {
      guard let scaled = scaled(values, power) else { continue }
      output.write(u8: UInt8(decimals))
      output.write(bytes: encode(scaled))
      return output.bytes
    }
    output.write(u8: 255)
    write(values.map(\.bitPattern), width: 8, to: &output)
    return output.bytes
  }

  static func decodeIntegers(_ bytes: [UInt8], count: Int) throws -> [Int64] {
    var input = ByteReader(bytes)
    let values = try integers(&input, count: count)
    try input.finish()
    return values
  }

  static func decodeReals(_ bytes: [UInt8], count: Int) throws -> [Double] {
    var input = ByteReader(bytes)
    let decimals = try input.readU8()
    let values: [Double]
    if decimals == 255 {
      values = try read(&input, width: 8, count: count).map { Double(bitPattern: $0) }
    } else {
      guard decimals < powers.count else { throw UnknownForm() }
      values = try integers(&input, count: count).map { Double($0) / powers[Int(decimals)] }
    }
    try input.finish()
    guard !values.contains(where: \.isNaN) else { throw WireError(.malformed, "NaN in a column of reals.") }
    return values
  }

  private static func integers(_ input: inout ByteReader, count: Int) throws -> [Int64] {
    let head = try input.readU8()
    guard head < 32, head & 15 <= 8 else { throw UnknownForm() }
    var value = try input.readZigzag()
    let planes = try read(&input, width: Int(head & 15), count: count)
    if head < 16 { return planes.map { value &+ Int64(bitPattern: $0) } }
    return planes.map { step in
      value &+= Int64(bitPattern: step >> 1) ^ -Int64(bitPattern: step & 1)
      return value
    }
  }

  /// The values times a power of ten as integers, if dividing gives every value back to the bit.
  private static func scaled(_ values: [Double], _ power: Double) -> [Int64]? {
    var result: [Int64] = []
    result.reserveCapacity(values.count)
    for value in values {
      let product = value * power
      guard product > -9e15, product < 9e15 else { return nil }
      let number = Int64(product < 0 ? product - 0.5 : product + 0.5)
      guard (Double(number) / power).bitPattern == value.bitPattern else { return nil }
      result.append(number)
    }
    return result
  }

  private static func width(of numbers: [UInt64]) -> Int {
    (71 - numbers.reduce(0, |).leadingZeroBitCount) / 8
  }

  private static func write(_ numbers: [UInt64], width: Int, to output: inout ByteWriter) {
    for plane in 0..<width {
      for number in numbers { output.write(u8: UInt8(truncatingIfNeeded: number >> UInt64(8 * plane))) }
    }
  }

  private static func read(_ input: inout ByteReader, width: Int, count: Int) throws -> [UInt64] {
    let range = try input.advance(width * count)
    var numbers = [UInt64](repeating: 0, count: count)
    for plane in 0..<width {
      let start = range.lowerBound + plane * count
      for index in 0..<count { numbers[index] |= UInt64(input.bytes[start + index]) << UInt64(8 * plane) }
    }
    return numbers
  }
}

extension RegisterColumn {
  /// The integers of a column, or the reals; nil if some value is neither or of the other.
  static func packed(_ values: [Value]) -> (key: UInt64, bytes: [UInt8])? {
    guard values.count >= PackedNumbers.least else { return nil }
    if case .integer = values[0] {
      var numbers: [Int64] = []
      numbers.reserveCapacity(values.count)
      for value in values {
        guard case .integer(let number) = value else { return nil }
        numbers.append(number)
      }
      return (ColumnKey.integers, PackedNumbers.encode(numbers))
    }
    guard case .real = values[0] else { return nil }
    var numbers: [Double] = []
    numbers.reserveCapacity(values.count)
    for value in values {
      guard case .real(let number) = value, !number.isNaN else { return nil }
      numbers.append(number)
    }
    return (ColumnKey.reals, PackedNumbers.encode(numbers))
  }
}
