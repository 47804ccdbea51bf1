import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A finished child process.
struct ChildProcess {
  /// What it exited with; nil if a signal ended it.
  let code: Int32?
  let output: String
  let errors: String

  /// Runs a program to its end with nothing on standard input. Small outputs only: they wait in pipes.
  static func run(
    _ path: String, _ arguments: [String], environment: [String] = ["PATH=/usr/bin:/bin"]
  ) throws -> ChildProcess {
    try RunningProcess(path, arguments, environment: environment).finish()
  }
}

/// A child process that goes on while the test does.
struct RunningProcess {
  let id: pid_t
  private let output: Int32
  private let errors: Int32

  init(_ path: String, _ arguments: [String], environment: [String] = ["PATH=/usr/bin:/bin"]) throws {
    let output = try TestPipe()
    let errors = try TestPipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output.writer, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors.writer, STDERR_FILENO)
    id = try Self.spawn(path, arguments, environment, &actions)
    close(output.writer)
    close(errors.writer)
    (self.output, self.errors) = (output.reader, errors.reader)
  }

  func signal(_ number: Int32) { kill(id, number) }

  /// Whether it has not ended; it is still to be finished.
  var isRunning: Bool {
    var information = siginfo_t()
    return waitid(P_PID, id_t(id), &information, WEXITED | WNOHANG | WNOWAIT) == 0
      && information.si_signo == 0
  }

  /// Waits for its end.
  func finish() -> ChildProcess {
    let outputText = TestPipe.readAll(output)
    let errorText = TestPipe.readAll(errors)
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 && errno == EINTR {}
    let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    return ChildProcess(code: code, output: outputText, errors: errorText)
  }

  private static func spawn(
    _ path: String, _ arguments: [String], _ environment: [String],
    _ actions: UnsafePointer<posix_spawn_file_actions_t>
  ) throws -> pid_t {
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    var child: pid_t = 0
    let result = posix_spawn(&child, path, actions, nil, &words, &variables)
    try #require(result == 0, "cannot run \(path): \(String(cString: strerror(result)))")
    return child
  }
}

/// A pipe whose ends children inherit only when told to.
struct TestPipe {
  let reader: Int32
  let writer: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reader = ends[0]
    writer = ends[1]
  }

  /// Everything up to the end; closes the reader.
  static func readAll(_ reader: Int32) -> String {
    defer { close(reader) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(reader, $0.baseAddress, $0.count) }
      if count <= 0 { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
