/// Breaks text into lines at spaces.
enum TextWrap {
  /// The first line keeps its own leading spaces and inner columns; further lines begin with `indent`.
  static func wrap(_ text: String, width: Int, indent: String = "") -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if word.isEmpty {
        line += " "
      } else if line.isEmpty || line.count + word.count <= width || line.allSatisfy({ $0 == " " }) {
        line += word + " "
      } else {
        lines.append(line)
        line = indent + word + " "
      }
    }
    lines.append(line)
    return lines.map(trimmingEnd).joined(separator: "\n")
  }

  private static func trimmingEnd(_ line: String) -> String {
    guard let last = line.lastIndex(where: { $0 != " " }) else { return "" }
    return String(line[...last])
  }
}
