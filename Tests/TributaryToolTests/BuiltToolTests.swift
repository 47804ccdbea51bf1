import Testing

@testable import TributaryTool

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs the tool as it was built, beside the test bundle.
@Suite struct BuiltToolTests {
  @Test func helpGoesToStandardOutputAndSucceeds() throws {
    let run = try tool("--help")
    #expect(run.code == 0)
    #expect(run.output == HelpText(tool: Tool.standard.spec).text(on: nil))
    #expect(run.errors == "")
  }

  @Test func aWrongCommandLineGoesToStandardErrorAndExitsWithTwo() throws {
    let run = try tool("snyc")
    #expect(run.code == 2)
    #expect(run.output == "")
    #expect(run.errors.contains("Did you mean `tributary sync`?"))
  }

  @Test func outputThatDoesNotArriveIsAFailure() throws {
    try #require(access("/dev/full", W_OK) == 0, "this system has no /dev/full")
    let run = try ChildProcess.run("/bin/sh", ["-c", "exec \"$0\" --help > /dev/full", try path()])
    #expect(run.code == 1)
    #expect(run.errors.contains("cannot write to standard output"))
  }

  private func tool(_ words: String...) throws -> ChildProcess {
    try ChildProcess.run(try path(), words)
  }

  private func path() throws -> String { try BuiltTool.path() }
}

/// The tool as it was built.
enum BuiltTool {
  /// The test runs from the folder of built products, or from a bundle within it.
  static func path() throws -> String {
    var folder = Substring(CommandLine.arguments[0])
    while let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      let candidate = "\(folder)/tributary"
      if access(candidate, X_OK) == 0, !isDirectory(candidate) { return candidate }
    }
    return try #require(nil, "no built tool above \(CommandLine.arguments[0])")
  }

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
