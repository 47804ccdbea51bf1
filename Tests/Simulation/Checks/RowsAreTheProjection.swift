extension Check {
  /// The tables hold what the rules of projection, told anew and simply, make of the state.
  static let rowsAreTheProjection = Check("the tables are the projection of the state") { run in
    try run.devices.flatMap { device in
      let expected = ProjectionOracle.rows(of: try device.canonical(), device.schema)
      let problems = differences(expected, try device.rows())
      return problems.isEmpty ? [] : ["\(device.name), expected and found:"] + problems
    }
  }
}
