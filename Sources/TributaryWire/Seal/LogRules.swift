package import TributaryModel

/// What a log may carry.
package enum LogRules {
  /// Fails if an entry carries another device's edits. Deletes may be anyone's, since an entry names those that its
  /// writer's state held; so may removals from a set, which name the additions that they remove. State that is sent
  /// again may carry everything.
  package static func check(_ entries: [Entry], by writer: DeviceID, isRepublished: Bool) throws {
    guard !isRepublished else { return }
    for entry in entries {
      let isOwn = (entry.change.born?.device ?? writer) == writer
      guard isOwn, entry.change.fields.allSatisfy({ $0.isEdit(of: writer) }) else {
        throw WireError(
          .foreignStamp,
          "A log of \(writer) carries another device's edit of a \(entry.name.type). Ignore the log; its device may "
            + "have been copied, or is not to be trusted.")
      }
    }
  }
}

extension Field {
  fileprivate func isEdit(of writer: DeviceID) -> Bool {
    switch content {
    case .register(let register): register.stamp.device == writer
    case .counter(let counter):
      (counter.base?.stamp.device ?? writer) == writer
        && counter.totals.allSatisfy { $0.device == writer && $0.stamp.device == writer }
    case .set(let set):
      set.stamp.device == writer && set.marks.allSatisfy { $0.added == nil || $0.device == writer }
    }
  }
}
