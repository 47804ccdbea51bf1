#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Sizes, counts and times as people read them.
enum HumanText {
  /// "0 bytes", "1 byte", "1023 bytes", "1.5 KiB", "12 MiB".
  static func bytes(_ count: Int) -> String {
    guard count >= 1024 else { return number(count, "byte") }
    var tenths = Double(count) / 1024
    for unit in ["KiB", "MiB", "GiB"] {
      // 1023.95 would round to 1024.0 of its own unit.
      if tenths < 1023.95 { return "\(rounded(tenths)) \(unit)" }
      tenths /= 1024
    }
    return "\(rounded(tenths)) TiB"
  }

  /// "1 edit", "2 edits".
  static func number(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
  }

  /// "2026-03-01 14:03:22 CET": a moment in the zone of the user's machine.
  static func time(milliseconds: Int64) -> String {
    let (whole, part) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    var moment = time_t(part < 0 ? whole - 1 : whole)
    var fields = tm()
    guard localtime_r(&moment, &fields) != nil else { return "\(milliseconds) ms" }
    return text(of: fields, zone: fields.tm_zone.map { String(cString: $0) })
  }

  /// The fields of a broken-down time in the order that sorts.
  static func text(of fields: tm, zone: String?) -> String {
    let date = [
      padded(Int(fields.tm_year) + 1900, 4), padded(Int(fields.tm_mon) + 1, 2), two(fields.tm_mday),
    ]
    let clock = [two(fields.tm_hour), two(fields.tm_min), two(fields.tm_sec)]
    return ([date.joined(separator: "-"), clock.joined(separator: ":")] + [zone].compactMap { $0 })
      .joined(separator: " ")
  }

  private static func two(_ value: Int32) -> String { padded(Int(value), 2) }

  private static func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func rounded(_ value: Double) -> String {
    guard value < 9.95 else { return String(Int(value.rounded())) }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}

extension HumanText {
  /// A name from outside, with control characters replaced: they could steer the terminal.
  static func clean(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
  }
}
