import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Asks the kernel: inotify on Linux, kqueue on Apple's systems.
///
/// Neither looks below a folder, and both watch what a path led to when the watch was made. So before each wait the
/// targets are compared with what is watched, and a watch that is new counts as a change: nothing is missed between.
///
/// kqueue holds the files open. Closing any descriptor of a file gives up this process's locks on it, SQLite's too, so
/// the database is never open during a wait.
final class SystemNotifier: ChangeNotifier {
  private struct Watch {
    let number: Int32
    let mark: FileMark
    let target: WatchTarget
  }

  /// More than this waits for the next call.
  private static let changesAtOnce = 512

  // kqueue does not tell that a file in a folder was overwritten in its place.
  #if canImport(Darwin)
    let method = "kqueue"
    private static let needsHeads = true
  #else
    let method = "inotify"
    private static let needsHeads = false
  #endif
  private let watcher: Int32
  /// Becomes readable when somebody asks to stop; -1 for none.
  private let wake: Int32
  private var watches: [String: [Watch]] = [:]

  /// - Throws: ``NotifierExhausted``.
  init(wake: Int32) throws {
    watcher = tributary_watcher_open()
    self.wake = wake
    guard watcher >= 0 else { throw NotifierExhausted(reason: SystemError.text()) }
  }

  deinit {
    for watch in watches.values.joined() { tributary_watcher_remove(watcher, watch.number) }
    tributary_watcher_close(watcher)
  }

  func wait(for place: WatchPlace, atMost time: Duration) throws -> Changes {
    var changes = try renew(WatchTarget.all(of: place, withHeads: Self.needsHeads))
    let end = ContinuousClock.now + time
    // What is queued belongs to what has arrived; otherwise there would be two syncs. And what means nothing, in a folder
    // with much else in it, is not worth another look at everything.
    while true {
      let rest = changes.isEmpty ? max(.zero, end - ContinuousClock.now) : .zero
      guard let more = try next(atMost: rest) else { return changes }
      changes.formUnion(more)
    }
  }

  /// Watches what is there, and no more what is not. Returns what the new watches mean.
  private func renew(_ targets: [WatchTarget]) throws -> Changes {
    var changes: Changes = []
    let before = watches.values.joined()
    var kept: [String: [Watch]] = [:]
    for target in targets {
      guard let mark = FileMark.of(target.path) else { continue }
      let same = watches[target.path]?.filter { $0.mark.isSameFile(as: mark) } ?? []
      guard let number = try same.first?.number ?? add(target) else { continue }
      if !same.contains(where: { $0.target == target }) { changes.formUnion(target.arrival) }
      kept[target.path, default: []].append(Watch(number: number, mark: mark, target: target))
    }
    watches = kept
    let used = Set(kept.values.joined().map(\.number))
    for number in Set(before.map(\.number)).subtracting(used) { tributary_watcher_remove(watcher, number) }
    return changes
  }

  /// Nil where there is nothing to watch any more, or nothing that this user may look at.
  private func add(_ target: WatchTarget) throws -> Int32? {
    let number = tributary_watcher_add(watcher, target.path, target.isFolder ? 1 : 0)
    if number >= 0 { return number }
    guard [ENOSPC, ENOMEM, EMFILE, ENFILE].contains(errno) else { return nil }
    throw NotifierExhausted(reason: errno == ENOSPC ? "no watches are left" : SystemError.text())
  }

  /// What happens next; nil if nothing does, or somebody asks to stop.
  private func next(atMost time: Duration) throws -> Changes? {
    let milliseconds = Int32(clamping: time.wholeMilliseconds)
    let capacity = Self.changesAtOnce
    return try withUnsafeTemporaryAllocation(of: tributary_change.self, capacity: capacity) { buffer in
      let count = tributary_watcher_wait(watcher, wake, milliseconds, buffer.baseAddress, Int32(capacity))
      guard count >= 0 else { throw NotifierExhausted(reason: SystemError.text()) }
      guard count > 0 else { return nil }
      return buffer[..<Int(count)].reduce(into: Changes()) { $0.formUnion(meaning(of: $1)) }
    }
  }

  private func meaning(of change: tributary_change) -> Changes {
    if change.kinds & UInt32(TRIBUTARY_CHANGE_LOST) != 0 { return .lost }
    let name = withUnsafeBytes(of: change.name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    let found = watches.values.joined().filter { $0.number == change.watch }
    if change.kinds & UInt32(TRIBUTARY_CHANGE_GONE) != 0, !found.isEmpty { forget(change.watch) }
    return found.reduce(into: []) { $0.formUnion($1.target.meaning(of: name)) }
  }

  /// The watch may be dead, so the next call makes another, if the path leads anywhere.
  private func forget(_ number: Int32) {
    watches = watches.mapValues { $0.filter { $0.number != number } }
    tributary_watcher_remove(watcher, number)
  }
}

extension Duration {
  /// Rounded up, so that a wait does not end just before its time.
  var wholeMilliseconds: Int64 {
    let (seconds, rest) = components
    return seconds * 1000 + (rest + 999_999_999_999_999) / 1_000_000_000_000_000
  }
}
