extension CommandSpec {
  static let service = CommandSpec(
    name: "service",
    summary: "Have a database synced in the background",
    discussion: [
      """
      `service install` describes `tributary sync --watch` to the service manager of this user: systemd on Linux \
      (~/.config/systemd/user, or below XDG_CONFIG_HOME), launchd on macOS (~/Library/LaunchAgents). Where the manager answers, the \
      service is started at once, and at each login; else the commands that do it are printed. Installing again takes \
      another --every, or the tool's new place.
      """,
      """
      What the service tells is in the manager's own log: `journalctl --user -u NAME` with systemd, a file in \
      ~/Library/Logs with launchd. It runs with low priority, and is started again, once a minute, where it failed.
      """,
      """
      `service status` ends with 0 where the service runs, or nobody answers who knows. `service uninstall` stops it \
      and removes its file; the database stays attached.
      """,
    ],
    arguments: [
      ArgumentSpec(
        name: "ACTION", summary: "install, uninstall or status.",
        completion: .words(["install", "uninstall", "status"])),
      .database,
    ],
    options: [
      OptionSpec(name: "--print", summary: "Only show what install would write."), WatchInterval.option,
    ],
    examples: [
      ExampleSpec(
        command: "tributary service install app.db",
        explanation: "Syncs it from now on, and after each login."),
      ExampleSpec(
        command: "tributary service install app.db --print",
        explanation: "Shows the description, to put it elsewhere."),
      ExampleSpec(command: "tributary service uninstall app.db", explanation: "Stops that."),
    ],
    exitCodes: [.notAttached])
}
