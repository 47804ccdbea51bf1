import SQLite
import Testing
import TributaryModel
import TributaryStore

private func prepared() throws -> (Connection, LocalNumbers) {
  let connection = try ownedMemory()
  try connection.transaction(.immediate) { try LocalTables.prepare(connection) }
  return (connection, LocalNumbers(connection))
}

@Test func numbersLastForTheStore() throws {
  let (connection, numbers) = try prepared()
  let devices = [DeviceID(high: 1, low: 2), DeviceID(high: .max, low: .max)]
  #expect(try numbers.type(named: "a") == 1 && numbers.type(named: "b") == 2)
  #expect(try ["x", "y", "x"].map { try numbers.field(type: 1, named: $0) } == [0, 1, 0])
  #expect(try numbers.field(type: 2, named: "y") == 0)
  #expect(try devices.map { try numbers.device($0) } == [1, 2])
  for numbers in [numbers, LocalNumbers(connection)] {
    #expect(try numbers.name(ofType: 2) == "b" && numbers.names(of: 1) == ["x", "y"])
    #expect(try numbers.device(numbered: 2) == devices[1] && numbers.device(devices[0]) == 1)
    #expect(try numbers.type(named: "b") == 2 && numbers.field(type: 1, named: "y") == 1)
  }
}

@Test func unknownNumbersAndNamesAreNil() throws {
  let (_, numbers) = try prepared()
  #expect(try numbers.knownType(named: "a") == nil && numbers.name(ofType: 9) == nil)
  #expect(try numbers.device(numbered: 9) == nil && numbers.names(of: 9).isEmpty)
}

@Test func numbersOfARolledBackTransactionAreForgotten() throws {
  let (connection, numbers) = try prepared()
  struct Undone: Error {}
  #expect(throws: Undone.self) {
    try connection.transaction(.immediate) {
      _ = try numbers.field(type: numbers.type(named: "gone"), named: "x")
      _ = try numbers.device(DeviceID(high: 0, low: 1))
      throw Undone()
    }
  }
  numbers.forget()
  #expect(try numbers.knownType(named: "gone") == nil)
  #expect(try numbers.type(named: "kept") == 1 && numbers.names(of: 1) == [])
  #expect(try numbers.device(DeviceID(high: 0, low: 2)) == 1)
}

@Test func gapsInTheNumbersAreDamage() throws {
  let (connection, numbers) = try prepared()
  try connection.execute("INSERT INTO tributary_field VALUES(1, 1, 'x')")
  #expect(storeError { _ = try numbers.names(of: 1) }?.code == .damaged)
}
