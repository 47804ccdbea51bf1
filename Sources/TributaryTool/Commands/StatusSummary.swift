import Tributary
import TributaryModel
import TributaryStore

/// Whether everything is done, and what waits for what, in sentences for people.
struct StatusSummary {
  let status: StoreStatus
  /// Edits of this device that no sealed file carries.
  let unsentEdits: Int
  /// In milliseconds since 1970; nil before the first sync.
  let synced: Int64?
  let failure: SyncFailure?
  /// Peers that the last sync could not read to their end, with the reason.
  let gaps: [DeviceID: String]
  let held: [HeldLine]
  let peers: [StatusOutput.Peer]
  let names: DeviceNames
  let hasKeys: Bool
  let now: Int64

  var text: String {
    let (own, others) = (ownWaits, otherWaits)
    if !hasKeys {
      let first = "This machine has no keys for this database, so it cannot sync here: attach it again."
      return ([first] + own + others).joined(separator: " ")
    }
    guard let synced else {
      let first = own.isEmpty ? ["It was never synced, and nothing waits to be sent."] : own
      return (first + others).joined(separator: " ")
    }
    let ago = HumanText.ago(synced, now: now)
    if !own.isEmpty || !others.isEmpty {
      let sent = own.isEmpty ? ["Everything is sent."] : []
      return (sent + own + others + ["The last sync that went well was \(ago)."]).joined(separator: " ")
    }
    guard !peers.isEmpty else {
      return "Everything is sent, and no other device is known yet (last sync \(ago))."
    }
    return "Everything is sent, and everything that the others sent is here (last sync \(ago))."
  }

  /// What of this device's own waits, and why.
  private var ownWaits: [String] {
    var waits: [String] = []
    if unsentEdits > 0 {
      waits.append("\(counted(unsentEdits, "edit")) for the \(synced == nil ? "first" : "next") sync.")
    }
    if status.unsentFiles > 0 {
      let what = failure?.isFull == true ? "room on the remote" : "the next sync to upload them"
      waits.append("\(counted(status.unsentFiles, "file")) for \(what).")
    } else if failure?.isFull == true {
      waits.append("The remote has no room left.")
    }
    if let failure, !failure.isFull { waits.append(text(failure)) }
    return waits
  }

  private func text(_ failure: SyncFailure) -> String {
    let when = HumanText.ago(failure.time, now: now)
    if failure.isUnreachable { return "The remote could not be reached (\(when))." }
    let message = HumanText.clean(failure.message)
    let cut = message.count > 200 ? "\(message.prefix(200))…" : message
    return "The last sync failed (\(when)): \(cut)" + (cut.hasSuffix(".") || cut.hasSuffix("…") ? "" : ".")
  }

  /// What of the others' waits, and for what.
  private var otherWaits: [String] {
    var waits = heldWaits
    let seen = held.reduce(0) { $0 + $1.count }
    if status.held > seen { waits.append("\(counted(status.held - seen, "more record")) as well.") }
    if status.parked > 0 {
      let isOne = status.parked == 1
      waits.append(
        "\(HumanText.number(status.parked, "record")) \(isOne ? "is" : "are") kept out of "
          + "\(isOne ? "its table" : "their tables") by a constraint.")
    }
    for (device, reason) in gaps.sorted(by: { $0.key < $1.key }) {
      waits.append("Not all that \(names.text(device)) sent could be read: \(HumanText.clean(reason)).")
    }
    for peer in peers where gaps[peer.device] == nil {
      guard let written = peer.known?.logsWritten, written > peer.logsRead else { continue }
      let count = Int(clamping: written - peer.logsRead)
      waits.append(
        "\(HumanText.number(count, "file")) of \(names.text(peer.device)) \(count == 1 ? "is" : "are") not here yet."
      )
    }
    return waits
  }

  private var heldWaits: [String] {
    var counts: [(device: DeviceID, wait: HeldLine.Wait, count: Int)] = []
    for line in held {
      if let index = counts.firstIndex(where: { $0.device == line.device && $0.wait == line.wait }) {
        counts[index].count += line.count
      } else {
        counts.append((line.device, line.wait, line.count))
      }
    }
    return counts.map { device, wait, count in
      let what = "\(HumanText.number(count, "record")) from \(names.text(device))"
      let (waits, comes, breaks) = count == 1 ? ("waits", "comes", "breaks") : ("wait", "come", "break")
      return switch wait {
      case .build: "\(what) \(waits) for a newer version of the app."
      case .schema: "\(what) \(waits) for a later schema of the app."
      case .rule: "\(what) \(breaks) a rule of the schema here."
      case .clock: "\(what) \(comes) from a clock that is ahead, and \(waits) until that time."
      case .sync: "\(what) \(waits) for the next sync."
      }
    }
  }

  private func counted(_ count: Int, _ noun: String) -> String {
    "\(HumanText.number(count, noun)) \(count == 1 ? "waits" : "wait")"
  }
}
