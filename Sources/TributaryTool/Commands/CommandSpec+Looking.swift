extension ArgumentSpec {
  static let table = ArgumentSpec(name: "TABLE", summary: "A table of the schema.")
}

/// Commands that only look.
extension CommandSpec {
  /// What reading the database alone can end with.
  private static let codes: [ExitCode] = [.notAttached, .damage]

  private static let looksOnly =
    "It reads only this device's database: nothing is fetched, nothing is changed, and no sync that is running is "
    + "waited for."

  static let devices = CommandSpec(
    name: "devices",
    summary: "List the devices of the set, or rename this one",
    discussion: [
      """
      Each device with its name and id, when it was last seen, how far its logs were read here, how far it said that \
      it has read this device's, and its build. A name is what a device calls itself; it is known once its head was read. \
      Ids under which this database wrote before, as when it was restored, are listed as this device's former ones.
      """,
      looksOnly
        + " With --rename this device gets another name, which the next sync tells the others; a sync that is running "
        + "is waited for, for ten seconds.",
    ],
    arguments: [.database],
    options: [
      OptionSpec(name: "--rename", valueName: "NAME", summary: "Call this device so, in at most 128 bytes."),
      .json,
    ],
    examples: [
      ExampleSpec(command: "tributary devices app.db", explanation: "Lists them."),
      ExampleSpec(command: "tributary devices app.db --rename laptop", explanation: "Renames this one."),
    ],
    exitCodes: codes + [.busy])

  static let log = CommandSpec(
    name: "log",
    summary: "Show what syncs did, and why they failed",
    discussion: [
      """
      Newest first, with the time in this machine's zone, or that of TZ. The newest 1,000 entries are kept, on this \
      device alone. A sync that did nothing leaves no entry, and what lasts, such as a device that cannot be read to its end, is \
      said once.
      """,
      looksOnly,
    ],
    arguments: [.database],
    options: [LimitOption.option(standard: LogCommand.standard), .json],
    examples: [ExampleSpec(command: "tributary log app.db --limit 10", explanation: "The latest ten.")],
    exitCodes: codes)

  static let conflicts = CommandSpec(
    name: "conflicts",
    summary: "Show values that lost to an edit of another device",
    discussion: [
      """
      Where two devices changed one field without knowing of each other, the later edit won. Each such field is shown \
      with both values, who wrote them and when, newest first, under a number that restore takes. The newest 1,000 are kept.
      """,
      looksOnly,
    ],
    arguments: [.database],
    options: [LimitOption.option(standard: ConflictsCommand.standard), .json],
    examples: [ExampleSpec(command: "tributary conflicts app.db", explanation: "Shows the latest.")],
    exitCodes: codes)

  static let trash = CommandSpec(
    name: "trash",
    summary: "Show deleted records whose last values are kept",
    discussion: [
      """
      Newest first, each with who deleted it and when, its last values, and the command that brings it back. A table that \
      erases on delete keeps nothing, so its records are not here.
      """,
      looksOnly,
    ],
    arguments: [.database],
    options: [
      OptionSpec(name: "--table", valueName: "TABLE", summary: "Only records of this table."),
      LimitOption.option(standard: TrashCommand.standard), .json,
    ],
    examples: [ExampleSpec(command: "tributary trash app.db --table task", explanation: "Deleted tasks.")],
    exitCodes: codes)

  static let held = CommandSpec(
    name: "held",
    summary: "Show what waits to be applied, and what constraints keep out",
    discussion: [
      """
      Entries that this device keeps and cannot apply yet, in the order in which they came: the record, the device, the \
      log that brought it, when it was written, and what has to come first. Then records that a constraint keeps out of their table (parked) or lets in \
      with another value (repaired), with the reason. --limit counts each of the two.
      """,
      looksOnly + " It ends with 7 while something is held or parked.",
    ],
    arguments: [.database],
    options: [LimitOption.option(standard: HeldCommand.standard), .json],
    examples: [ExampleSpec(command: "tributary held app.db", explanation: "Shows it for people.")],
    exitCodes: codes + [.held])

  static let blame = CommandSpec(
    name: "blame",
    summary: "Show who wrote each value of a record, and when",
    discussion: [
      """
      For each current value: the device and the time of the edit by that device's clock, and whether an edit of this \
      device has been sent. It works for a deleted record too, as far as its values are kept.
      """,
      KeyWords.explanation + " One word more names a column, and shows that one alone.",
      looksOnly,
    ],
    arguments: [
      .database, .table,
      ArgumentSpec(
        name: "KEY", summary: "The record's key, a word a column; then, if wanted, a column.",
        isRepeated: true),
    ],
    options: [.json],
    examples: [
      ExampleSpec(command: "tributary blame app.db task t1", explanation: "Every value of the task t1."),
      ExampleSpec(command: "tributary blame app.db task t1 title", explanation: "Its title alone."),
    ],
    exitCodes: codes)

  static let usage = CommandSpec(
    name: "usage",
    summary: "Show what each device takes on the remote, and here",
    discussion: [
      """
      On the remote: the files and bytes of each device, by kind. In the database: the rows and bytes of Tributary's own tables, \
      counted in whole pages where SQLite can tell, else by their contents.
      """,
      "It lists the remote and reads the database. Nothing is changed, and no sync that is running is waited for.",
    ],
    arguments: [.database],
    options: [.json],
    examples: [ExampleSpec(command: "tributary usage app.db", explanation: "Shows both sides.")],
    exitCodes: codes + [.remoteUnavailable])
}

extension KeyWords {
  /// For help and the manual.
  static let explanation = """
    KEY is one word for each column of the table's key, in its order, read as the column's type has it: text as it stands, \
    numbers as digits, blobs as hexadecimal digits. In a column of any type it is read as SQL has it: x'00ff', 7, 0.5, and the rest, or \
    what stands in single quotes, is text. Before a word that begins with a dash put --.
    """
}
