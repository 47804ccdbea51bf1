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
      A database that is adopted (see `tributary adopt`) syncs its own tables. For another, the tables named in the \
      schema file are made, or prepared for syncing if they are there and empty. \
      A remote of another schema, or one that the password does not open, is refused. The folder must exist. \
      Then run sync.
      """,
      """
      The password is asked for twice with --new, once otherwise, and then never again on this device. Scripts \
      give it by --password-file, --password-fd or TRIBUTARY_PASSWORD. There is no way to get at the remote's \
      data without it.
      """,
      """
      On a database that is attached to this folder already, attach takes a later schema file of the same name: \
      missing tables, columns and indexes are made, nothing is removed. With --device it renames the device.
      """,
      """
      A database whose keys are not on this machine, because it was copied here, restored, or the keys are lost, \
      can be attached again: it becomes a new device and keeps what it has. So it does where this device's files \
      are gone from the folder: it then sends again what it had sent under its former id. In a folder that was emptied, the first \
      device gives --new, and the others attach again without it.
      """,
    ],
    arguments: [
      .database,
      ArgumentSpec(
        name: "REMOTE",
        summary: "A folder that exists, for example one that Dropbox, iCloud Drive or Syncthing keeps.",
        completion: .directory),
    ],
    options: [
      OptionSpec(
        name: "--schema", valueName: "FILE",
        summary: "The tables to sync, as JSON (docs/SCHEMA.md); not for a database that is adopted.",
        completion: .file),
      OptionSpec(
        name: "--device", valueName: "NAME",
        summary: "What other devices call this one; else its name so far, or the host's."),
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
      ExampleSpec(
        command: "tributary attach app.db ~/Dropbox/app --schema app-2.schema.json",
        explanation: "Takes a later schema on a device that is attached."),
    ],
    exitCodes: [.wrongPassword, .remoteUnavailable, .remoteFull, .damage, .busy])

  static let sync = CommandSpec(
    name: "sync",
    summary: "Send this device's edits and take in those of the others",
    discussion: [
      """
      It goes on from where the last one stopped, and may be stopped at any time. Edits that could not be \
      sent are kept for the next time.
      """,
      """
      One sync of a database runs at a time; a second one ends at once with 75. Reading goes on meanwhile.
      """,
      """
      With --watch it goes on until it is stopped: it syncs when the database or the remote's files change, a second \
      after the last of several edits, and in any case every five minutes, since changes on network drives are \
      not always told. What goes wrong, such as a disk that is not plugged in, is told once and tried again; it \
      goes on by itself. Ctrl-C or a polite kill ends it between two steps, with 0. With --json every sync and every event is one object \
      a line, named by "event": watching, sync, error, recovered, fallback or stopped. A database has one watcher; a second one ends with 75.
      """,
    ],
    arguments: [.database],
    options: [
      OptionSpec(name: "--watch", summary: "Go on syncing whenever something changes."), WatchInterval.option,
      .json,
    ],
    examples: [
      ExampleSpec(command: "tributary sync app.db", explanation: "Syncs once and says what happened."),
      ExampleSpec(
        command: "tributary sync app.db --json", explanation: "The same for a program, as one JSON object."),
      ExampleSpec(
        command: "tributary sync app.db --watch",
        explanation: "Keeps syncing; `tributary service` has this done in the background."),
    ],
    exitCodes: [.notAttached, .remoteUnavailable, .remoteFull, .held, .damage, .busy])

  static let status = CommandSpec(
    name: "status",
    summary: "Show what is unsent, what is held, and which devices there are",
    discussion: [
      """
      The first line says whether everything is done, and what waits for what. As to what others sent it speaks of what this \
      device knew at its last sync.
      """,
      """
      It reads only this device's database: nothing is fetched, nothing is changed, and no sync that is \
      running is waited for. Records that a constraint keeps out of their table, or lets in only with a repaired \
      value, are named with the reason, at most 20 of them. Times are in the zone of this machine, or of TZ; with --json they are \
      milliseconds since 1970, UTC.
      """,
    ],
    arguments: [.database],
    options: [.json],
    examples: [ExampleSpec(command: "tributary status app.db", explanation: "Shows it for people.")],
    exitCodes: [.notAttached, .held, .damage])

  static let export = CommandSpec(
    name: "export",
    summary: "Write the merged state to standard output",
    discussion: [
      """
      Two devices that have read the same edits write the same bytes with --canonical, so that comparing \
      the outputs proves that they agree. It shows one committed state, whatever a sync does meanwhile.
      """,
      """
      Each line is a JSON object for one record: "table", "key", "visible" (false for a deleted one, of which the last \
      values are kept), "fields" by column, and "state", a hash over all that decides merges. A blob is \
      {"blob": hexadecimal digits}. What a constraint keeps out of its table is here too.
      """,
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
    exitCodes: [.notAttached, .damage])

  static let check = CommandSpec(
    name: "check",
    summary: "Look for damage in the database, and on the remote",
    discussion: [
      """
      It changes nothing, unless --repair is given, and names what it finds with what to do about it. It may run during \
      a sync.
      """,
      """
      In the database: the file's structure, every record against its table and the change log, and rows \
      that another program wrote past Tributary. A value that was changed in place shows only beside a sealed \
      log that carried it: this device keeps its own, those of others are on the remote.
      """,
      """
      With --repair it mends what can be worked out: indexes that do not fit their table, missing guards, rows and marks \
      that are not what the merged state asks for; and it takes in rows that another program inserted as edits of this \
      device, where they break no rule. What it cannot mend it says. A row that was deleted or a value that was changed past \
      Tributary stays as it is: which one is wanted only you know. Own files that the remote lost are uploaded again by \
      sync, not here. A sync that is running is waited for, for ten seconds.
      """,
      """
      On the remote: that every file opens under its name, that each device's logs and snapshots form one \
      unbroken chain as its head says, and that nothing which somebody has read is missing. Every file is read.
      """,
    ],
    arguments: [.database],
    options: [
      OptionSpec(name: "--repair", summary: "Mend the database as far as that can be worked out."),
      OptionSpec(name: "--local", summary: "Only the database."),
      OptionSpec(name: "--remote", summary: "Only the remote, and the values here that its files tell."),
      .json,
    ],
    examples: [
      ExampleSpec(command: "tributary check app.db", explanation: "Checks both sides, which may take long."),
      ExampleSpec(
        command: "tributary check app.db --local --json",
        explanation: "Checks the database alone; one finding a line, and a summary."),
      ExampleSpec(
        command: "tributary check app.db --local --repair",
        explanation: "Mends the database, and says what is left."),
    ],
    exitCodes: [.notAttached, .remoteUnavailable, .held, .damage, .busy])
}
