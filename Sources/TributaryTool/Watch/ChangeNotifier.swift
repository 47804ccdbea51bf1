/// What may have changed.
struct Changes: OptionSet, Sendable, Hashable {
  let rawValue: Int

  /// The database's files were written or replaced.
  static let database = Changes(rawValue: 1)
  /// Another device's files came or changed.
  static let remote = Changes(rawValue: 2)
  /// A database or folder is there that was not, or is another one than before.
  static let returned = Changes(rawValue: 4)
  /// Notifications were lost, so that anything may have changed.
  static let lost = Changes(rawValue: 8)
}

/// What is to be watched.
struct WatchPlace: Sendable, Equatable {
  var database: String
  /// The remote's folder.
  var remote: String
  /// This device's own folder within `sync`: what comes there is its own doing.
  var own: String?
}

/// Tells of changes. The live ones ask the kernel or look by themselves; tests have a scripted one.
protocol ChangeNotifier: AnyObject {
  /// As messages call it.
  var method: String { get }

  /// Waits until something changes, somebody asks to stop, or the time is up. Whatever changes between two calls is told
  /// by the second. The place may be another one, or be gone, at each call.
  /// - Throws: ``NotifierExhausted`` if the system has no notifications to give.
  func wait(for place: WatchPlace, atMost time: Duration) throws -> Changes
}

/// The system has no more notifications for this user, or none at all.
struct NotifierExhausted: Error {
  /// How the system says it.
  let reason: String
}
