/// What a build can read: its format, the meaning of its fields, and what its columns take.
///
/// Builds of different ages are values, so that one process can hold a mixed fleet.
package struct Build: Sendable {
  /// The format of the sync files that this build reads, 1 for the first.
  package var format: UInt32
  /// The version of the meaning of the app's fields.
  package var schemaVersion: UInt32
  /// The app's own build number, compared with the remote's lowest allowed.
  package var appVersion: UInt32
  /// The record types that this build knows.
  package var types: [String: RecordType]

  package init(format: UInt32 = 1, schemaVersion: UInt32, appVersion: UInt32 = 0, types: [String: RecordType])
  {
    self.format = format
    self.schemaVersion = schemaVersion
    self.appVersion = appVersion
    self.types = types
  }
}

/// What admission must know of one record type.
package struct RecordType: Sendable {
  /// The fields that this build knows, and what each takes.
  package var fields: [String: ValueRule]
  /// What each key value must be, in key order.
  package var key: [ValueRule]

  package init(fields: [String: ValueRule], key: [ValueRule]) {
    self.fields = fields
    self.key = key
  }
}

/// Why an entry is kept without being applied.
package enum HoldReason: Hashable, Sendable {
  /// The entry needs a newer format.
  case format(UInt32)
  /// A value was written with a meaning that this build does not know.
  case schemaVersion(UInt32)
  /// This build has no such record type.
  case unknownType
  /// A column of this build refuses the value (logged as `applyFailed`).
  case refused(field: String, problem: String)
  /// A stamp lies in the future by this device's wall clock.
  case future(Moment)
}

/// What to do with one entry.
package enum Verdict: Hashable, Sendable {
  case apply
  case hold(HoldReason)
  /// A barrier above this build: the cursor stays before it.
  case stop(minReader: UInt32)
  /// Structurally broken though authentic: dropped and counted.
  case discard(String)
}

/// The one place where it is decided whether an entry may touch the state. Pull, bootstrap, recovery, compaction and
/// `check` all come through here.
package enum Admission {
  package static func decide(_ entry: Entry, by build: Build, wall milliseconds: Int64) -> Verdict {
    if entry.minReader > build.format {
      return entry.isBarrier ? .stop(minReader: entry.minReader) : .hold(.format(entry.minReader))
    }
    guard !entry.change.isEmpty else { return .discard("an entry without content") }
    guard let key = entry.name.id.values else { return .discard("an identity that is not well formed") }
    if let flaw = entry.change.incoherence { return .discard(flaw) }
    if let future = entry.latestMoment, Clock.isFuture(future, wall: milliseconds) {
      return .hold(.future(future))
    }
    guard let type = build.types[entry.name.type] else { return .hold(.unknownType) }
    if entry.schemaVersion > build.schemaVersion { return .hold(.schemaVersion(entry.schemaVersion)) }
    return refusal(of: entry, key: key, by: type).map { .hold($0) } ?? .apply
  }

  private static func refusal(of entry: Entry, key: [Value], by type: RecordType) -> HoldReason? {
    guard key.count == type.key.count else {
      return .refused(field: "", problem: "has another number of key columns")
    }
    for (value, rule) in zip(key, type.key) {
      if let problem = rule.problem(with: value) { return .refused(field: "", problem: problem) }
    }
    for field in entry.change.fields {
      guard let rule = type.fields[field.name], case .register(let register) = field.content else { continue }
      if let problem = rule.problem(with: register.value) {
        return .refused(field: field.name, problem: problem)
      }
    }
    return nil
  }
}
