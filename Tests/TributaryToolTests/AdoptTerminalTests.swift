import Testing

@testable import TributaryTool

/// What a person sees of an adoption, on a real terminal.
@Suite(.enabled(if: OtherProgram.arePresent, "needs sqlite3 and python3"))
struct AdoptTerminalTests {
  @Test func aPersonAdoptsAttachesAndSyncs() async throws {
    let place = try Place()
    defer { place.remove() }
    try place.make(
      "one",
      AdoptCommandTests.shop
        + "INSERT INTO album(title,artist) WITH n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<6000) "
        + "SELECT 'album '||i,1 FROM n;")
    let adopt = try place.terminal("one", "adopt", [place.database("one"), "--shared-integer-keys"])
    #expect(adopt.code == 0, "\(adopt)")
    for text in [
      "  album: 5 columns, key id (handed out by SQLite)", "Adopted: 6008 rows in 3 tables", "Next: ",
    ] {
      #expect(adopt.output.contains(text), "\(text): \(adopt)")
    }
    let name = "lap\u{1B}[31mtop"
    let attach = try place.terminal(
      "one", "attach", [place.database("one"), place.remote, "--new", "--device", name],
      typing: ["a good password", "a good password"])
    #expect(attach.code == 0, "\(attach)")
    #expect(!attach.output.contains("a good password"), "the password was echoed")
    #expect(!attach.output.contains("\u{1B}[31m"), "a device's name steered the terminal")
    let sync = try place.terminal("one", "sync", [place.database("one")])
    #expect(sync.code == 0 && sync.output.contains("Sent 6008, received 0"), "\(sync)")
    let join = try place.terminal(
      "two", "join", [place.database("two"), place.remote], typing: ["a good password"])
    #expect(join.code == 0 && join.output.contains("received 6008"), "\(join)")
    let status = try place.terminal("two", "status", [place.database("two")])
    #expect(status.output.hasPrefix("Everything is sent, and everything"), "\(status)")
    let devices = try place.terminal("two", "devices", [place.database("two")])
    #expect(devices.output.contains("top") && !devices.output.contains("\u{1B}[31m"), "\(devices)")
  }
}

extension Place {
  /// Runs the built tool on a terminal of its own, and types an answer at each question.
  fileprivate func terminal(
    _ device: String, _ command: String, _ words: [String], typing answers: [String] = []
  ) throws -> ChildProcess {
    let run = try ChildProcess.run(
      OtherProgram.python,
      ["-c", Self.typist, answers.joined(separator: "\n"), BuiltTool.path(), command] + words,
      environment: ["PATH=/usr/bin:/bin", "TERM=xterm", "TRIBUTARY_STATE_HOME=\(state(device))"])
    return ChildProcess(
      code: run.code, output: run.output.replacing("\r\n", with: "\n"), errors: run.errors)
  }

  private static let typist = """
    import os, pty, sys
    answers = [a for a in sys.argv[1].split('\\n') if a]
    pid, terminal = pty.fork()
    if pid == 0: os.execv(sys.argv[2], sys.argv[2:])
    seen = b''; asked = 0
    while True:
        try: part = os.read(terminal, 4096)
        except OSError: break
        if not part: break
        seen += part
        if answers and seen[asked:].rstrip().endswith(b':'):
            asked = len(seen)
            os.write(terminal, answers.pop(0).encode() + b'\\n')
    sys.stdout.buffer.write(seen)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    """
}
