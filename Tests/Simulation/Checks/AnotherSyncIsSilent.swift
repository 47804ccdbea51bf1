import Tributary
import TributaryTesting

extension Check {
  /// A sync with nothing to do writes nothing, reads nothing new and reports no gap.
  static let anotherSyncIsSilent = Check("another sync is silent") { run in
    let before = run.remote.contents
    var problems: [String] = []
    for device in run.devices {
      let report = try device.sync()
      let isSilent =
        report.filesWritten == 0 && report.sent == 0 && report.received == 0 && report.gaps.isEmpty
      if !isSilent { problems.append("\(device.name): \(report)") }
      if report.discarded > 0 { problems.append("\(device.name) discarded \(report.discarded) entries") }
    }
    if run.remote.contents != before { problems.append("the remote's files have changed") }
    return problems
  }
}
