import TributaryModel

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
  /// A text from outside, with everything replaced that could steer the terminal: control characters, line ends, and
  /// marks that turn the direction of what follows.
  static func clean(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isSteering($0) ? "\u{FFFD}" : $0 }))
  }

  private static func isSteering(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: ("\u{202A}"..."\u{202E}").contains(scalar) || ("\u{2066}"..."\u{2069}").contains(scalar)
    }
  }

  /// A value of SQLite's, cleaned, and cut where it is long.
  static func value(_ value: Value) -> String {
    switch value {
    case .null: return "NULL"
    case .integer(let number): return String(number)
    case .real(let number): return String(number)
    case .text(let bytes):
      let text = clean(String(decoding: bytes.prefix(4 * shownCharacters), as: UTF8.self))
      let cut = text.count > shownCharacters || bytes.count > 4 * shownCharacters
      return cut ? "“\(text.prefix(shownCharacters))…” (\(self.bytes(bytes.count)))" : "“\(text)”"
    case .blob(let bytes):
      let cut = bytes.count > shownCharacters / 2
      let digits = bytes.prefix(shownCharacters / 2).map(hexadecimal).joined()
      return cut ? "x'\(digits)…' (\(self.bytes(bytes.count)))" : "x'\(digits)'"
    }
  }

  private static let shownCharacters = 200

  /// A record as messages name it.
  static func record(_ table: String, _ key: [Value]) -> String {
    clean(table) + (key.isEmpty ? "" : " " + key.map(value).joined(separator: ", "))
  }

  /// "3 minutes ago": how long before `now` a moment was, both in milliseconds.
  static func ago(_ milliseconds: Int64, now: Int64) -> String {
    let (gone, isOverflown) = now.subtractingReportingOverflow(milliseconds)
    let seconds = isOverflown ? Int.max : Int(clamping: gone / 1000)
    switch seconds {
    case ..<60: return "just now"
    case ..<3600: return number(seconds / 60, "minute") + " ago"
    case ..<86_400: return number(seconds / 3600, "hour") + " ago"
    default: return number(seconds / 86_400, "day") + " ago"
    }
  }
}
