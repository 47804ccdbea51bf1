import TributaryModel

/// The key of a record as words of a command line: one word a column, in the order of the key.
///
/// A word is read as its column's type has it: text stands as it is, numbers as digits, blobs as hexadecimal digits. In a
/// column of any type it is read as SQL has it: `x'00ff'`, `7`, `0.5`, and everything else, or what stands in single
/// quotes, is text.
struct KeyWords {
  let table: Table

  /// - Throws: ``ToolError`` if the schema has no such table.
  init(_ name: String, in schema: Schema) throws {
    guard let table = schema.syncedTables.first(where: { $0.name == name }) else {
      let guess = Suggestion.nearest(to: name, among: schema.syncedTables.map(\.name))
      throw ToolError(
        .failure, "the schema has no table \(HumanText.clean(name))",
        remedy: guess.map { "Did you mean \($0)?" })
    }
    self.table = table
  }

  var count: Int { table.key.count }

  /// The record that the words name.
  func name(_ words: [String]) throws -> RecordName {
    guard words.count == count else {
      throw ToolError.usage(
        "the key of \(table.name) has \(HumanText.number(count, "column")) (\(table.key.joined(separator: ", "))), "
          + "and \(HumanText.number(words.count, "word")) \(words.count == 1 ? "is" : "are") given",
        remedy: "Give one word a column, in that order.")
    }
    let values = try zip(table.key, words).map(value)
    guard let id = RecordID(values) else {
      throw ToolError.usage("a key has at most \(RecordID.maximumLength) bytes, and that is longer")
    }
    return RecordName(table.name, id)
  }

  private func kind(_ column: String) -> ValueRule.Kind {
    table.columns.first { $0.name == column }?.rule.kind ?? .any
  }

  private func value(_ column: String, _ word: String) throws -> Value {
    let kind = kind(column)
    switch kind {
    case .text: return .text(word)
    case .any: return Self.literal(word)
    case .integer: if let number = Int64(word) { return .integer(number) }
    case .real: if let number = Double(word) { return .real(number) }
    case .blob: if let bytes = Self.quotedBytes(word) ?? Self.bytes(word[...]) { return .blob(bytes) }
    }
    throw ToolError.usage(
      "\(table.name).\(column) takes \(kind.rawValue), not \"\(HumanText.clean(word))\"",
      remedy: kind == .blob ? "Give it as hexadecimal digits, for example 00ff." : nil)
  }

  private static func literal(_ word: String) -> Value {
    if let bytes = quotedBytes(word) { return .blob(bytes) }
    if let number = Int64(word) { return .integer(number) }
    if let number = Double(word), word.allSatisfy("0123456789+-.eE".contains) { return .real(number) }
    guard word.count >= 2, word.hasPrefix("'"), word.hasSuffix("'") else { return .text(word) }
    return .text(String(word.dropFirst().dropLast()).replacing("''", with: "'"))
  }

  private static func quotedBytes(_ word: String) -> [UInt8]? {
    guard word.hasPrefix("x'") || word.hasPrefix("X'"), word.hasSuffix("'"), word.utf8.count >= 3 else {
      return nil
    }
    let digits: Substring = word.dropFirst(2).dropLast()
    return bytes(digits)
  }

  private static func bytes(_ digits: Substring) -> [UInt8]? {
    let values = digits.compactMap { $0.isASCII ? $0.hexDigitValue : nil }
    guard values.count == digits.count, values.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}

extension KeyWords {
  /// The words that name the key in a shell; nil where a person could not type them.
  func shellWords(_ key: [Value]) -> String? {
    guard key.count == count else { return nil }
    var words: [String] = []
    for (column, value) in zip(table.key, key) {
      guard let word = word(value, kind(column)), HumanText.clean(word) == word else { return nil }
      words.append(Self.quoted(word))
    }
    // What begins with a dash would be taken for an option.
    return (words.contains { $0.hasPrefix("-") } ? "-- " : "") + Self.quoted(table.name) + " "
      + words.joined(separator: " ")
  }

  private func word(_ value: Value, _ kind: ValueRule.Kind) -> String? {
    switch value {
    case .null: return nil
    case .integer(let number): return String(number)
    case .real(let number): return String(number)
    case .blob(let bytes):
      let digits = bytes.map(hexadecimal).joined()
      return kind == .blob ? digits : "x'\(digits)'"
    case .text(let bytes):
      guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
      if kind == .text || Self.literal(text) == value { return text }
      return "'" + text.replacing("'", with: "''") + "'"
    }
  }

  /// A word that a shell takes as it is, in quotes where it must be.
  static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.allSatisfy { byte in
        byte.isASCIILetterOrDigit || "-_./:@%+,".utf8.contains(byte)
      }
    return isPlain ? word : Completions.quoted(word)
  }
}

extension UInt8 {
  fileprivate var isASCIILetterOrDigit: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }
}
