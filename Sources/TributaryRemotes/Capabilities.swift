/// What a remote was found to be able to do.
package struct Capabilities: Hashable, Sendable {
  /// How far "write only if absent" can be relied on.
  package enum CreateIfAbsent: Hashable, Sendable {
    /// Of several racing writers one wins.
    case atomic
    /// Usually.
    case advisory
    /// An existing file is overwritten.
    case none
  }

  package var createIfAbsent: CreateIfAbsent
  /// Whether a file can be given its name only once it is whole.
  package var rename: Bool
  /// Whether a part of a file can be read.
  package var range: Bool
  /// Whether a listing shows all there is.
  package var listComplete: Bool
  /// The largest file in bytes, if there is a limit below ours.
  package var maxObject: Int?
  /// The shortest time between two writes.
  package var pacing: Duration

  package init(
    createIfAbsent: CreateIfAbsent, rename: Bool, range: Bool = false, listComplete: Bool = true,
    maxObject: Int? = nil, pacing: Duration = .zero
  ) {
    self.createIfAbsent = createIfAbsent
    self.rename = rename
    self.range = range
    self.listComplete = listComplete
    self.maxObject = maxObject
    self.pacing = pacing
  }
}
