/// An object of a schema's JSON, with the place where it is, for errors.
struct SchemaMembers {
  /// What the object describes, as in `table “country”, column “name”`.
  let place: String
  private let values: [String: JSON]

  /// - Throws: if the value is no object, or has a key that is not among `known`.
  init(_ json: JSON, _ place: String, known: [String]) throws {
    guard case .object(let members) = json else {
      throw SchemaError(.wrongValue, "In \(place): there is \(json.kind). Write an object there.")
    }
    for member in members where !known.contains(member.name) {
      throw SchemaError(
        .unknownKey,
        "In \(place): the key “\(member.name)” is not known. Use \(known.joined(separator: ", ")).")
    }
    self.place = place
    values = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
  }

  /// An error about one key, with what should be there.
  func wrong(_ key: String, _ expected: String) -> SchemaError {
    let found = values[key].map { "is \($0.kind)" } ?? "is missing"
    return SchemaError(.wrongValue, "In \(place): “\(key)” \(found). Give it \(expected).")
  }

  func value(_ key: String) -> JSON? { values[key] }

  func string(_ key: String) throws -> String {
    guard case .string(let text)? = values[key] else { throw wrong(key, "a string") }
    return text
  }

  func bool(_ key: String, default fallback: Bool) throws -> Bool {
    guard let value = values[key] else { return fallback }
    guard case .bool(let flag) = value else { throw wrong(key, "true or false") }
    return flag
  }

  /// A whole number in the range of `T`, not negative; nil if the key is missing.
  func count<T: FixedWidthInteger>(_ key: String, _ type: T.Type) throws -> T? {
    guard let value = values[key] else { return nil }
    guard case .integer(let number) = value, number >= 0, let count = T(exactly: number) else {
      throw wrong(key, "a whole number from 0 to \(T.max)")
    }
    return count
  }

  /// A list; empty if the key is missing.
  func list(_ key: String) throws -> [JSON] {
    guard let value = values[key] else { return [] }
    guard case .array(let elements) = value else { throw wrong(key, "a list") }
    return elements
  }

  /// A list of names; empty if the key is missing.
  func names(_ key: String) throws -> [String] { try list(key).map { try name($0, key) } }

  /// A list of lists of names; empty if the key is missing.
  func nameLists(_ key: String) throws -> [[String]] {
    try list(key).map { element in
      guard case .array(let elements) = element else { throw wrong(key, "a list of lists of strings") }
      return try elements.map { try name($0, key) }
    }
  }

  /// One of an enumeration's words; the fallback, if any, when the key is missing.
  func word<T: RawRepresentable<String>>(
    _ key: String, default fallback: T?, _ words: [T]
  ) throws -> T {
    if values[key] == nil, let fallback { return fallback }
    guard case .string(let text)? = values[key], let word = words.first(where: { $0.rawValue == text }) else {
      throw wrong(key, "one of " + words.map(\.rawValue).joined(separator: ", "))
    }
    return word
  }

  private func name(_ element: JSON, _ key: String) throws -> String {
    guard case .string(let name) = element else { throw wrong(key, "strings only") }
    return name
  }
}
