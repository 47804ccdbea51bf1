import TestSupport
import TributaryModel

extension Check {
  /// All devices show the same rows.
  static let rowsAreTheSame = Check("all devices show the same rows") { run in
    let first = try run.devices[0].rows()
    return try run.devices.dropFirst().flatMap { device in
      let problems = differences(first, try device.rows())
      return problems.isEmpty ? [] : ["\(device.name) against \(run.devices[0].name):"] + problems
    }
  }

  static func differences(_ left: [String: [[Value]]], _ right: [String: [[Value]]]) -> [String] {
    left == right ? [] : differences(lines(left), lines(right)) + ["(or their order)"]
  }

  private static func lines(_ rows: [String: [[Value]]]) -> [String] {
    rows.sorted { $0.key < $1.key }.flatMap { table, rows in
      rows.map { "\(table) " + $0.map(\.literal).joined(separator: " ") }
    }
  }
}
