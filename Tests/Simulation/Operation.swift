import TestSupport
import TributaryTesting

/// A statement of an app, beside SQLite's own of this name.
typealias Statement = TestSupport.Statement

/// One thing that happens to a device, or around it.
enum Operation {
  /// One transaction of the app.
  case edit([Statement])
  /// A sync, which stops at its nth step if told so.
  case sync(stopAfter: Int? = nil)
  /// A snapshot is written, up to its nth step if told so.
  case compact(stopAfter: Int? = nil)
  /// The process ends and starts again.
  case restart
  /// The device's clock is set forward or back by so many milliseconds.
  case jump(Int64)
  /// The remote goes wrong in other ways from now on.
  case weather(Faults)
  /// The database file is copied away, to be put back some day.
  case backup
  /// The copy of the file is put back in place of the newer one.
  case restore
  /// The file and the secrets are copied to another device, which goes on from there.
  case copy(as: String)
  /// One transaction of a program that has nothing of the engine's, in an adopted database.
  case foreign([Statement], ForeignApp.Habits)
  /// The same, and more, while the engine's triggers are away.
  case unwatched([Statement], ForeignApp.Habits, Unwatched)
  /// The app of an adopted database changes its tables.
  case migrate(Migration)

  var name: String {
    switch self {
    case .edit: "edit"
    case .sync(nil): "sync"
    case .sync(let steps?): "sync, stopped after \(steps)"
    case .compact(nil): "compact"
    case .compact(let steps?): "compact, stopped after \(steps)"
    case .restart: "restart"
    case .jump(let milliseconds): "clock \(milliseconds >= 0 ? "+" : "")\(milliseconds) ms"
    case .weather: "weather"
    case .backup: "backup"
    case .restore: "restore"
    case .copy(let name): "copy as \(name)"
    case .foreign(_, let habits): "foreign edit \(habits)"
    case .unwatched(_, let habits, let way): "unwatched edit \(habits) \(way)"
    case .migrate(let migration): "migrate: \(migration)"
    }
  }

  var statements: [Statement] {
    switch self {
    case .edit(let statements), .foreign(let statements, _), .unwatched(let statements, _, _): statements
    default: []
    }
  }
}
