/// Commands that bring back, and the one that ends it.
extension CommandSpec {
  static let restore = CommandSpec(
    name: "restore",
    summary: "Bring back a value that lost, or a deleted record",
    discussion: [
      """
      With --conflict it writes the value that lost into its field, and what lost of the same group by the same edit with \
      it. With TABLE and KEY it inserts the record again with its last values, which trash shows. Either is an ordinary new \
      edit of this device, which the next sync sends to the others.
      """,
      KeyWords.explanation,
      "A sync of the same database that is running is waited for, for ten seconds.",
    ],
    arguments: [
      .database,
      ArgumentSpec(name: "TABLE", summary: "The table of a deleted record.", isOptional: true),
      ArgumentSpec(
        name: "KEY", summary: "The deleted record's key, a word a column.", isOptional: true, isRepeated: true
      ),
    ],
    options: [
      OptionSpec(
        name: "--conflict", valueName: "NUMBER", summary: "The conflict whose losing value to bring back.")
    ],
    examples: [
      ExampleSpec(
        command: "tributary restore app.db --conflict 12",
        explanation: "Writes the value that lost in conflict 12."),
      ExampleSpec(command: "tributary restore app.db task t1", explanation: "Brings the task t1 back."),
    ],
    exitCodes: [.notAttached, .damage, .busy])

  static let detach = CommandSpec(
    name: "detach",
    summary: "End this device's part in the set, and keep the data",
    discussion: [
      """
      The keys of this device are forgotten, and nothing is synced any more. The data stays in the database, edits that \
      were not sent are kept for the sync after the next attach, and what this device wrote stays on the remote. The other \
      devices are not told. Other programs still cannot change the tables.
      """,
      """
      The database can be attached again, there or elsewhere; that needs the password, and makes it a new device. Nothing is \
      asked. A sync that is running is waited for, for ten seconds.
      """,
    ],
    arguments: [.database],
    examples: [
      ExampleSpec(command: "tributary detach app.db", explanation: "Forgets the keys, and says what is left.")
    ],
    exitCodes: [.notAttached, .damage, .busy])
}
