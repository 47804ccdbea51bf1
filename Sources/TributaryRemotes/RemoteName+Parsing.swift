package import TributaryModel

extension RemoteName {
  /// Parses `sync/<device>/<file>`; nil unless it is spelled exactly as `path` would spell it.
  package init?(path: String) {
    let components = path.split(separator: "/", omittingEmptySubsequences: false)
    guard components.count == 3, components[0] == Self.root, let device = DeviceID(components[1]) else {
      return nil
    }
    self.init(device: device, fileName: String(components[2]))
  }

  /// Parses the name of a file in a device's folder; nil unless it is spelled exactly as `fileName` would spell it.
  package init?(device: DeviceID, fileName: String) {
    // Bytes, not characters: Unicode equivalence must not make two names of one.
    guard let name = Self.parse(Array(fileName.utf8), device), name.isValid,
      name.fileName.utf8.elementsEqual(fileName.utf8)
    else { return nil }
    self = name
  }

  private static func parse(_ name: [UInt8], _ device: DeviceID) -> RemoteName? {
    if name.elementsEqual("head.bin".utf8) { return .head(device) }
    if let digits = middle(of: name, "key-", ".bin") {
      return number(digits, 10).flatMap(UInt32.init(exactly:)).map { .key(device, epoch: $0) }
    }
    if let digits = middle(of: name, "fence-", ".bin") {
      return number(digits, 10).flatMap(UInt32.init(exactly:)).map { .fence(device, epoch: $0) }
    }
    if let numbers = middle(of: name, "snapshot-", ".snap") {
      guard numbers.count == 22, numbers[numbers.startIndex + 16] == UInt8(ascii: "."),
        let seq = number(numbers.prefix(16), 16),
        let part = number(numbers.suffix(5), 5).flatMap(UInt16.init(exactly:))
      else { return nil }
      return .snapshot(device, seq: seq, part: part)
    }
    return middle(of: name, "", ".log").flatMap { number($0, 16) }.map { .log(device, seq: $0) }
  }

  private static func middle(of name: [UInt8], _ prefix: String, _ suffix: String) -> ArraySlice<UInt8>? {
    let (front, back) = (prefix.utf8.count, suffix.utf8.count)
    guard name.count > front + back, name.starts(with: prefix.utf8),
      name.suffix(back).elementsEqual(suffix.utf8)
    else { return nil }
    return name[front..<(name.count - back)]
  }

  /// Exactly `width` ASCII digits. At most 16 are ever asked for, so nothing overflows.
  private static func number(_ digits: ArraySlice<UInt8>, _ width: Int) -> UInt64? {
    guard digits.count == width, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return digits.reduce(0) { $0 * 10 + UInt64($1 - UInt8(ascii: "0")) }
  }
}
