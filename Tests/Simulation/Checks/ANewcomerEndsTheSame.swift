extension Check {
  /// A device that reads everything from the remote ends like those that were there all the time.
  static let aNewcomerEndsTheSame = Check("a newcomer ends the same") { run in
    let first = run.devices[0]
    let newcomer = try run.join("newcomer")
    try run.migrateAll()
    for _ in 0..<2 { _ = try newcomer.sync() }
    return differences(try first.canonical(), try newcomer.canonical())
      + differences(try first.rows(), try newcomer.rows())
  }
}
