#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Looks by itself, where the system has no notifications to give.
final class PollingNotifier: ChangeNotifier {
  let method = "polling"
  private let wake: Int32
  private let interval: Duration
  /// What every target looked like last; nil before the first look.
  private var seen: [String: FileMark]?

  /// - Parameter interval: between two looks.
  init(wake: Int32, interval: Duration = .seconds(10)) {
    self.wake = wake
    self.interval = interval
  }

  func wait(for place: WatchPlace, atMost time: Duration) throws -> Changes {
    let milliseconds = Int32(clamping: min(time, interval).wholeMilliseconds)
    var request = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
    _ = poll(&request, 1, milliseconds)
    let targets = WatchTarget.all(of: place, withHeads: true)
    let marks = targets.reduce(into: [String: FileMark]()) { $0[$1.path] = FileMark.of($1.path) }
    defer { seen = marks }
    guard let seen else { return targets.reduce(into: []) { $0.formUnion($1.arrival) } }
    return targets.reduce(into: []) { changes, target in
      guard let mark = marks[target.path] else { return }
      if let before = seen[target.path], before.isSameFile(as: mark) {
        // A folder where only some names matter changes with the others too.
        if before != mark, target.names == nil { changes.formUnion(target.change) }
      } else {
        changes.formUnion(target.arrival)
      }
    }
  }
}
