extension ArgumentSpec {
  /// The file that every command works on.
  static let database = ArgumentSpec(name: "DATABASE", summary: "The SQLite file.", completion: .file)
}

extension OptionSpec {
  static let json = OptionSpec(
    name: "--json", summary: "Write one JSON object a line, with keys in a fixed order, for programs.")
}

extension CommandSpec {
  static let attach = CommandSpec(
    name: "attach",
    summary: "Join a database to a remote, or start a new set there",
    discussion: [
      """
      The tables named in the schema file are made, or prepared for syncing if they are there and empty. \
      A remote of another schema, or one that the password does not open, is refused. Then run sync.
      """,
      """
      The password is asked for twice with --new, once otherwise, and then never again on this device. There \
      is no way to get at the remote's data without it.
      """,
    ],
    arguments: [
      .database,
      ArgumentSpec(
        name: "REMOTE", summary: "A folder, for example one that Dropbox, iCloud Drive or Syncthing keeps.",
        completion: .directory),
    ],
    options: [
      OptionSpec(
        name: "--schema", valueName: "FILE", summary: "The tables to sync, as JSON (docs/SCHEMA.md).",
        isRequired: true, completion: .file),
      OptionSpec(
        name: "--device", valueName: "NAME",
        summary: "What other devices call this one; else the host's name."),
      OptionSpec(
        name: "--new", summary: "Start a new set. Without it, a remote with nothing on it is an error."),
    ] + PasswordInput.options,
    examples: [
      ExampleSpec(
        command: "tributary attach app.db ~/Dropbox/app --schema app.schema.json --new",
        explanation: "The first device."),
      ExampleSpec(
        command: "tributary attach app.db ~/Dropbox/app --schema app.schema.json --device laptop",
        explanation: "A further device."),
    ],
    exitCodes: [.wrongPassword, .remoteUnavailable, .remoteFull, .held, .damage, .busy])

  static let sync = CommandSpec(
    name: "sync",
    summary: "Send this device's edits and take in those of the others",
    discussion: [
      """
      It goes on from where the last one stopped, and may be stopped at any time. Edits that could not be \
      sent are kept for the next time.
      """
    ],
    arguments: [.database],
    options: [.json] + PasswordInput.options,
    examples: [
      ExampleSpec(command: "tributary sync app.db", explanation: "Syncs once and says what happened."),
      ExampleSpec(
        command: "tributary sync app.db --json", explanation: "The same for a program, one event a line."),
    ],
    exitCodes: [.notAttached, .wrongPassword, .remoteUnavailable, .remoteFull, .held, .damage, .busy])

  static let status = CommandSpec(
    name: "status",
    summary: "Show what is unsent, what is held, and which devices there are",
    discussion: ["It reads only this device's database: nothing is fetched, nothing is changed."],
    arguments: [.database],
    options: [.json],
    examples: [ExampleSpec(command: "tributary status app.db", explanation: "Shows it for people.")],
    exitCodes: [.notAttached, .held])

  static let export = CommandSpec(
    name: "export",
    summary: "Write the merged state to standard output",
    discussion: [
      """
      Two devices that have read the same edits write the same bytes with --canonical, so that comparing \
      the outputs proves that they agree.
      """
    ],
    arguments: [.database],
    options: [
      OptionSpec(name: "--canonical", summary: "The form that is the same on every device.", isRequired: true)
    ],
    examples: [
      ExampleSpec(
        command: "tributary export app.db --canonical | sha256sum",
        explanation: "One short number to compare between devices.")
    ],
    exitCodes: [.notAttached])

  static let check = CommandSpec(
    name: "check",
    summary: "Look for damage in the database, and on the remote",
    discussion: ["It changes nothing. What it finds, it names, with what to do about it."],
    arguments: [.database],
    options: [
      OptionSpec(name: "--remote", summary: "Also read and verify every file on the remote."), .json,
    ] + PasswordInput.options,
    examples: [
      ExampleSpec(
        command: "tributary check app.db --remote", explanation: "Checks both sides, which may take long.")
    ],
    exitCodes: [.notAttached, .wrongPassword, .remoteUnavailable, .held, .damage, .busy])
}
