import TestSupport
import Testing
import TributaryModel
import TributaryStore

@testable import Tributary

/// Values up to the largest that travels, and beyond.
struct LargeValueScenarios {
  @Test func aValueThatIsTooLargeToTravelIsRefusedWhenItIsWritten() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    let b = try crew.join("b")
    try crew.edit(a, "INSERT INTO photo(hash,data) VALUES(x'01',randomblob(16777216))")
    for sql in [
      "INSERT INTO photo(hash,data) VALUES(x'02',zeroblob(16777217))",
      "UPDATE photo SET data=zeroblob(16777217)",
      "INSERT INTO secret(id,value) VALUES('s1',replace(hex(zeroblob(4194305)),'00','four'))",
    ] {
      let error = #expect(throws: StoreError.self) { try crew.edit(a, sql) }
      #expect(error?.code == .refusedValue)
      #expect(error?.message.contains("16 MiB") == true)
    }
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l1','beside it')")
    #expect(try b.sync().received == 2)
    #expect(try b.rows() == a.rows())
  }
}
