import Tributary
import TributaryTesting

extension Check {
  /// A sync with nothing to do writes nothing, reads nothing new and reports no gap. One that an abandoned id left, in
  /// the middle of an upload of several files, nobody can close; what it carried was sent under the new id.
  static let anotherSyncIsSilent = Check("another sync is silent") { run in
    let before = run.remote.contents
    var problems: [String] = []
    let living = Set(run.devices.map(\.device))
    for device in run.devices {
      let report = try device.sync()
      let isSilent =
        report.filesWritten == 0 && report.sent == 0 && report.received == 0
        && living.isDisjoint(with: report.gaps.keys)
      if !isSilent { problems.append("\(device.name): \(report)") }
      if report.discarded > 0 { problems.append("\(device.name) discarded \(report.discarded) entries") }
    }
    if run.remote.contents != before { problems.append("the remote's files have changed") }
    return problems
  }
}
