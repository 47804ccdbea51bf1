import Foundation
import Testing
import TributaryCustody

@testable import TributaryTool

/// The commands that only look, on two devices.
@Suite struct LookingCommandTests {
  static let commands = [
    ["devices"], ["usage"], ["log"], ["conflicts"], ["trash"], ["held"], ["blame", "note", "a"],
  ]

  @Test(arguments: commands)
  func withoutAnAttachedDatabaseTheyEndWithThree(_ words: [String]) async throws {
    let place = try Place()
    defer { place.remove() }
    let run = await place.run("one", words[0], words: Array(words.dropFirst()))
    #expect(run.code == .notAttached && run.output == "" && run.errors.contains("there is no database at"))
  }

  @Test(arguments: commands)
  func nothingFromOutsideSteersTheTerminal(_ words: [String]) async throws {
    let place = try await Place.conflicting()
    defer { place.remove() }
    try await place.sql("one", "DELETE FROM note WHERE id='b'")
    let run = await place.run("one", words[0], words: Array(words.dropFirst()))
    #expect(run.code == .success, "\(run)")
    #expect(run.output != "" && Place.isClean(run.output) && Place.isClean(run.errors), "\(run)")
  }

  @Test(arguments: commands.filter { !["blame", "usage", "devices"].contains($0[0]) })
  func whereThereIsNothingTheySaySo(_ words: [String]) async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    let run = await place.run("one", words[0], words: Array(words.dropFirst()))
    #expect(run.code == .success && run.output.split(separator: "\n").count == 1, "\(run)")
    let json = await place.run("one", words[0], words: words.dropFirst() + ["--json"])
    #expect(json.code == .success && json.output == "")
  }

  @Test(arguments: commands)
  func theyReadWhileASyncHoldsTheLockAndChangeNothing(_ words: [String]) async throws {
    let place = try await Place.conflicting()
    defer { place.remove() }
    let path = place.database("one")
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let attached = try AttachedStore.find(path)
    var context = ToolContext.scripted(output: CollectingSink(), errors: CollectingSink())
    context.environment = ["TRIBUTARY_STATE_HOME": place.state("one")]
    let lock = try await attached.lock(context, tries: 1)
    defer { lock.release() }
    #expect(await place.run("one", words[0], words: Array(words.dropFirst())).code == .success)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func aLimitMustBeAWholeNumber() async throws {
    let place = try await Place.attached("one")
    defer { place.remove() }
    for limit in ["0", "-1", "x", "1000000"] {
      #expect(await place.run("one", "conflicts", "--limit=\(limit)").code == .usage)
    }
  }
}
