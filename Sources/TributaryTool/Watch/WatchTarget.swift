import TributaryRemotes

/// One file or folder that is watched, and what its changes mean.
struct WatchTarget: Hashable, Sendable {
  var path: String
  var isFolder: Bool
  /// What a change of the content means.
  var change: Changes
  /// What it means that it is there, after it was not, or was another one.
  var arrival: Changes
  /// In a folder, the names that matter; nil for all.
  var names: Set<String>?
  /// In a folder, a name that does not.
  var ignored: String?

  /// What it means that `name` within it changed, or, if that is empty, something.
  func meaning(of name: String) -> Changes {
    if name.isEmpty { return change }
    if let names { return names.contains(name) ? change : [] }
    // Files on their way to their final names: this engine's, and those of file syncing services.
    if name == ignored || name.hasPrefix("~") || name.hasPrefix(".") { return [] }
    return change
  }
}

extension WatchTarget {
  /// Everything to watch, as the file system is now.
  /// - Parameter withHeads: whether the devices' heads are watched beside the folders that they lie in.
  static func all(of place: WatchPlace, withHeads: Bool) -> [WatchTarget] {
    let database = FilePlace.resolved(place.database)
    let remote = FilePlace.resolved(place.remote)
    return ofDatabase(database) + ofRemote(remote, own: place.own, withHeads: withHeads)
      + [FilePlace.folder(of: database), remote].compactMap(towards)
  }

  private static func ofDatabase(_ path: String) -> [WatchTarget] {
    let files = FilePlace.databaseFiles(path)
    let names = Set(files.map(FilePlace.name))
    return [
      WatchTarget(
        path: FilePlace.folder(of: path), isFolder: true, change: .database, arrival: .database, names: names),
      WatchTarget(path: path, isFolder: false, change: .database, arrival: [.database, .returned]),
    ]
      + files.dropFirst().map {
        WatchTarget(path: $0, isFolder: false, change: .database, arrival: .database)
      }
  }

  private static func ofRemote(_ root: String, own: String?, withHeads: Bool) -> [WatchTarget] {
    let sync = "\(root)/\(RemoteName.root)"
    let devices = (try? FolderRemote(path: root).list(device: nil).devices) ?? []
    let names: [String] = devices.map { "\($0)" }
    let folders = names.filter { $0 != own }.map { device in
      WatchTarget(
        path: "\(sync)/\(device)", isFolder: true, change: .remote, arrival: [.remote, .returned])
    }
    return [
      WatchTarget(
        path: root, isFolder: true, change: .remote, arrival: [.remote, .returned], names: [RemoteName.root]),
      WatchTarget(
        path: sync, isFolder: true, change: [.remote, .returned], arrival: [.remote, .returned], ignored: own),
    ] + folders + (withHeads ? folders.map(head) : [])
  }

  private static func head(_ folder: WatchTarget) -> WatchTarget {
    WatchTarget(path: folder.path + "/head.bin", isFolder: false, change: .remote, arrival: .remote)
  }

  /// For a folder that is missing, the nearest one above it, where the way to it may come back.
  private static func towards(_ folder: String) -> WatchTarget? {
    guard Machinery.kind(folder) == .absent else { return nil }
    var path = folder
    while path != "/" {
      let name = FilePlace.name(path)
      path = FilePlace.folder(of: path)
      guard Machinery.kind(path) == .absent else {
        return WatchTarget(path: path, isFolder: true, change: .returned, arrival: [], names: [name])
      }
    }
    return nil
  }
}
