import TestSupport
import Testing
import TributaryModel

private func schema(_ json: String) throws -> Schema { try Schema(json: Array(json.utf8)) }

/// The error that reading the text gives.
private func failure(_ json: String) -> SchemaError? {
  #expect(throws: SchemaError.self) { try schema(json) }
}

@Test func aWrittenSchemaIsReadAsTheSame() throws {
  for seed in 0..<300 as Range<UInt64> {
    var random = Splitmix(seed: seed)
    let original = randomSchema(&random)
    let json = original.json
    let copy = try schema(json)
    #expect(copy == original, "seed \(seed): \(json)")
    #expect(copy.json == json, "seed \(seed)")
  }
}

@Test func aHandWrittenSchemaMeansWhatTheInitializersMean() throws {
  let read = try schema(
    #"""
    {"name": "com.example.zones", "tables": [
      {"name": "country", "key": ["code"], "columns": [{"name": "name", "type": "text", "nonEmpty": true}]},
      {"name": "zone", "key": ["id"], "onDelete": "erases", "columns": [
        {"name": "code", "type": "text", "null": true, "maxLength": 2},
        {"name": "size", "type": "real", "range": [0, null], "default": 1.0},
        {"name": "extra", "type": "any"}, {"name": "raw", "type": "blob", "default": {"blob": "00ff"}},
        {"name": "caf\u00e9 \ud83d\ude00", "type": "integer", "default": -3, "unique": true}],
       "groups": [["size", "extra"]], "indexes": [{"name": "i", "columns": ["code"]}],
       "references": [{"columns": ["code"], "table": "country", "onDelete": "setNull"}]}]}
    """#)
  let expected = Schema(
    "com.example.zones",
    tables: [
      Table("country", key: "code", columns: [.text("name", nonEmpty: true)]),
      Table(
        "zone", key: "id",
        columns: [
          .text("code", maximumLength: 2).orNull, .real("size", range: 0...(.infinity)).withDefault(.real(1)),
          .any("extra"), .blob("raw").withDefault(.blob([0, 255])),
          .integer("café 😀").withDefault(.integer(-3)).unique,
        ], groups: [["size", "extra"]], references: [Reference(["code"], "country", onDelete: .setNull)],
        indexes: [Index("i", on: ["code"])], onDelete: .erases),
    ])
  #expect(read == expected)
  #expect(read.problems() == [])
}

@Test func aReferenceOfAColumnIsWrittenWithTheTable() throws {
  let original = Schema("s", tables: [Table("t", key: "id", columns: [.text("up").references("t")])])
  #expect(try schema(original.json).tables[0].references == [Reference(["up"], "t")])
}

@Test(arguments: [
  (#"{"name":"s","tables":[],"colour":1}"#, "In the schema: the key “colour”"),
  (#"{"name":"s","tables":[{"name":"t","keys":["id"]}]}"#, "In table “t”: the key “keys”"),
  (
    #"{"name":"s","tables":[{"name":"t","columns":[{"name":"a","type":"text"},{"name":"b","typ":"text"}]}]}"#,
    "In table “t”, column “b”: the key “typ”"
  ),
  (#"{"name":"s","name":"t","tables":[]}"#, "“name” twice"),
])
func anUnknownKeyIsNamedWithItsPlace(json: String, expected: String) {
  #expect(failure(json)?.code == .unknownKey)
  #expect(failure(json)?.message.contains(expected) == true, "\(failure(json)?.message ?? "")")
}

@Test(arguments: [
  (#"[]"#, "a list"), (#"{"tables":[]}"#, "“name” is missing"), (#"{"name":"s"}"#, "“tables” is missing"),
  (#"{"name":"s","version":1.5,"tables":[]}"#, "whole number"),
  (#"{"name":"s","version":-1,"tables":[]}"#, "from 0 to 4294967295"),
  (#"{"name":"s","tables":[{"key":["id"]}]}"#, "In table 1: “name” is missing"),
  (#"{"name":"s","tables":[{"name":"t","scope":"global"}]}"#, "synced, local"),
  (#"{"name":"s","tables":[{"name":"t","columns":[{"name":"c"}]}]}"#, "column “c”: “type” is missing"),
  (#"{"name":"s","tables":[{"name":"t","columns":[{"name":"c","type":"date"}]}]}"#, "text, integer, real"),
  (
    #"{"name":"s","tables":[{"name":"t","columns":[{"name":"c","type":"real","range":[2,1]}]}]}"#,
    "lesser first"
  ),
  (
    #"{"name":"s","tables":[{"name":"t","columns":[{"name":"c","type":"blob","default":[]}]}]}"#,
    "“default” is a list"
  ),
  (#"{"name":"s","tables":[{"name":"t","columns":[{"name":"c","type":"text","null":1}]}]}"#, "true or false"),
])
func aWrongValueIsNamedWithItsPlace(json: String, expected: String) {
  #expect(failure(json)?.code == .wrongValue)
  #expect(failure(json)?.message.contains(expected) == true, "\(failure(json)?.message ?? "")")
}

@Test(arguments: [
  "", "{", #"{"a"}"#, #"{"a":1,}"#, "[1 2]", "[01]", "[1.]", "[-]", "[1e]", "[1e999]", #"["\x"]"#,
  #"["\ud800"]"#,
  #"["\ud800\u0041"]"#, #"["\u12"]"#, "[\"a\nb\"]", #"["abc"#, "tru", "[] []", "nul", "+1", #"["\"#,
])
func whatIsNoJSONIsRefused(text: String) {
  #expect(failure(text)?.code == .notJSON)
}

@Test func textThatIsNotUTF8IsRefused() {
  let error = #expect(throws: SchemaError.self) {
    try Schema(json: Array(#"["#.utf8) + [0x22, 0xFF, 0x22, 0x5D])
  }
  #expect(error?.code == .notJSON)
}

@Test func depthAndSizeAreBounded() {
  let deep = String(repeating: "[", count: 33) + String(repeating: "]", count: 33)
  #expect(failure(deep)?.code == .tooLarge)
  let allowed = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
  #expect(failure(allowed)?.code == .wrongValue)
  let error = #expect(throws: SchemaError.self) {
    try Schema(json: Array(repeating: 0x20, count: (16 << 20) + 1))
  }
  #expect(error?.code == .tooLarge)
}
