#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Runs a program of the system, found on the PATH, with nothing on its input.
enum SystemCommand {
  /// What it exits with; 127 if it is not there, 128 if a signal ended it.
  /// - Parameter isQuiet: whether what it writes goes nowhere.
  static func run(_ words: [String], isQuiet: Bool) -> Int32 {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    if isQuiet {
      for output in [STDOUT_FILENO, STDERR_FILENO] {
        posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
      }
    }
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    guard posix_spawnp(&child, words.first ?? "", &actions, nil, &arguments, environ) == 0 else { return 127 }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 {
      guard errno == EINTR else { return 127 }
    }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128
  }
}
