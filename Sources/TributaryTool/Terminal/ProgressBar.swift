import Synchronization

/// A line on standard error that shows how far long work is; nothing at all where that is not a terminal.
final class ProgressBar: Sendable {
  private struct Shown {
    var line = ""
    var moment: Duration?
  }

  private let sink: (any TextSink)?
  private let style: Style
  private let width: Int
  private let now: @Sendable () -> Duration
  private let shown = Mutex(Shown())

  /// - Parameters:
  ///   - sink: where the line goes; nil shows nothing.
  ///   - now: a clock that only goes forward.
  init(sink: (any TextSink)?, style: Style, width: Int, now: @escaping @Sendable () -> Duration) {
    self.sink = sink
    self.style = style
    self.width = width
    self.now = now
  }

  /// One that nobody sees.
  static var hidden: ProgressBar {
    ProgressBar(sink: nil, style: Style(isPlain: true), width: 80, now: { .zero })
  }

  /// Draws, at most ten times a second.
  /// - Parameter total: nil where the end is not known.
  func update(_ label: String, done: Int, total: Int?) {
    guard let sink else { return }
    let moment = now()
    shown.withLock { shown in
      if let last = shown.moment, moment - last < .milliseconds(100) { return }
      let line = ProgressLine.text(label, done: done, total: total, width: width - 1, style: style)
      guard line != shown.line else { return }
      // What cannot be drawn is not worth failing the work for.
      try? sink.write("\r\u{1B}[K" + line)
      shown = Shown(line: line, moment: moment)
    }
  }

  /// Takes the line away, so that what follows starts on a clean one.
  func finish() {
    guard let sink else { return }
    shown.withLock { shown in
      if !shown.line.isEmpty { try? sink.write("\r\u{1B}[K") }
      shown = Shown()
    }
  }
}

/// One drawing of a progress bar.
enum ProgressLine {
  static func text(_ label: String, done: Int, total: Int?, width: Int, style: Style) -> String {
    guard let total, total > 0 else {
      return clipped(done == 0 ? "\(label) ..." : "\(label) \(done)", width)
    }
    let done = min(max(0, done), total)
    let figures = " \(Int(Double(done) / Double(total) * 100))% (\(done)/\(total))"
    let room = min(30, width - label.count - figures.count - 3)
    guard room >= 5 else { return clipped(label + figures, width) }
    let filled = Int(Double(done) / Double(total) * Double(room))
    let bar =
      style.strong(String(repeating: "#", count: filled)) + String(repeating: "-", count: room - filled)
    return "\(label) [\(bar)]\(figures)"
  }

  private static func clipped(_ text: String, _ width: Int) -> String {
    String(text.prefix(max(0, width)))
  }
}
