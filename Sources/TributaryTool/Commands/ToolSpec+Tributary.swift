extension ToolSpec {
  /// Tributary's own description, around its commands.
  static func tributary(commands: [CommandSpec]) -> ToolSpec {
    ToolSpec(
      name: "tributary",
      version: Tool.version,
      summary: "Keep one SQLite database the same on all your devices",
      discussion: [
        """
        tributary keeps a SQLite database the same on all of a person's devices, over storage the person \
        already has: a folder of a file syncing service, a USB stick, a server. Everything it stores there is \
        encrypted with a password; no server is trusted, and every device can work alone.
        """,
        """
        A database is attached once on each device, with a file that describes its tables. From then on \
        sync sends this device's edits and takes in those of the others. Edits are made with the library \
        or with `tributary sql`; other programs can read the tables, not change them. Where two devices changed the same field, the later edit stays and the other is kept in a \
        journal.
        """,
      ],
      commands: commands + [help(on: commands.map(\.name))],
      commonOptions: CommonOption.all,
      environment: [
        EnvironmentSpec(
          name: PasswordInput.variable,
          summary: "The password, where neither --password-file nor --password-fd is given. "
            + "Other programs of the same user can read it; a file is better."),
        EnvironmentSpec(
          name: "TRIBUTARY_STATE_HOME",
          summary: "The folder of this device's keys and locks; else $XDG_STATE_HOME/tributary, else "
            + "~/.local/state/tributary."),
        EnvironmentSpec(
          name: "XDG_CONFIG_HOME", summary: "Where systemd's files of this user are; else ~/.config."),
        EnvironmentSpec(name: "NO_COLOR", summary: "Where set and not empty, no colour is used."),
        EnvironmentSpec(name: "TZ", summary: "The time zone that times are shown in."),
      ],
      examples: [
        ExampleSpec(
          command: "tributary attach app.db ~/Dropbox/app --schema app.schema.json --new",
          explanation: "The first device starts the set."),
        ExampleSpec(
          command: "tributary attach app.db ~/Dropbox/app --schema app.schema.json",
          explanation: "Every further device joins it."),
        ExampleSpec(
          command: "tributary sync app.db", explanation: "Sends edits, and takes in those of others."),
      ])
  }

  /// Here for the manual and the completions; the parser answers it.
  private static func help(on names: [String]) -> CommandSpec {
    CommandSpec(
      name: "help",
      summary: "Show help on a command",
      arguments: [
        ArgumentSpec(name: "COMMAND", summary: "Which one.", isOptional: true, completion: .words(names))
      ],
      examples: [
        ExampleSpec(command: "tributary help sync", explanation: "The same as `tributary sync --help`.")
      ],
      isHidden: true)
  }
}
