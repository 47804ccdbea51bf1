/// How far a device has read one peer's logs.
package struct Cursor: Hashable, Sendable {
  /// The last log that was applied or held; 0 before the first.
  package var seq: UInt64
  /// The hash of that log's sealed bytes: the link to the next one. 32 bytes, zero before the first.
  package var hash: [UInt8]
  /// The greatest moment of the peer's own edits up to there, so that concurrent edits can be told from later ones.
  package var moment: Moment

  package init(seq: UInt64, hash: [UInt8], moment: Moment) {
    self.seq = seq
    self.hash = hash
    self.moment = moment
  }

  /// Before the first log.
  package static let start = Cursor(seq: 0, hash: [UInt8](repeating: 0, count: 32), moment: Moment(raw: 0))
}

/// What a device has read of everyone, itself included.
package typealias CursorVector = [DeviceID: Cursor]
