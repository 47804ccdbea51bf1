import Synchronization
import Testing

@testable import TributaryTool

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct JSONLineTests {
  @Test func keysKeepTheirOrderAndEverythingStaysOnOneLine() {
    let value: JSONValue = [
      "zone": "a\nb", "applied": 3, "held": [], "ok": true, "none": nil, "nested": ["b": 1, "a": -2],
    ]
    let expected =
      #"{"zone":"a\nb","applied":3,"held":[],"ok":true,"none":null,"nested":{"b":1,"a":-2}}"# + "\n"
    #expect(value.line == expected)
  }

  @Test func everyCharacterThatJSONForbidsIsEscaped() {
    #expect(JSONValue.string("\"\\\r\t\u{0}\u{1F}\u{7F}\r\n").text == #""\"\\\r\t\u0000\u001f\u007f\r\n""#)
    #expect(JSONValue.string("Zürich 🏔").text == "\"Zürich 🏔\"")
  }

  @Test func numbersThatJSONCannotSayAreNull() {
    #expect(JSONValue.array([.number(.nan), .number(.infinity), .number(0.5)]).text == "[null,null,0.5]")
    #expect(JSONValue.integer(.min).text == "-9223372036854775808")
  }
}

@Suite struct HumanTextTests {
  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (1023, "1023 bytes"), (1024, "1.0 KiB"), (1536, "1.5 KiB"),
    (10239, "10 KiB"), (1_048_575, "1.0 MiB"), (12_582_912, "12 MiB"), (5_497_558_138_880, "5.0 TiB"),
  ])
  func sizesReadWell(count: Int, text: String) {
    #expect(HumanText.bytes(count) == text)
  }

  @Test func countsReadWell() {
    #expect(HumanText.number(1, "edit") == "1 edit")
    #expect(HumanText.number(0, "entry", plural: "entries") == "0 entries")
  }

  @Test(arguments: [Int64(0), 1_772_370_202_999, -1, 4_102_444_800_000])
  func aTimeIsTheSameMomentInTheZoneOfThisMachine(milliseconds: Int64) throws {
    var moment = time_t((Double(milliseconds) / 1000).rounded(.down))
    var fields = tm()
    try #require(localtime_r(&moment, &fields) != nil)
    let text = HumanText.time(milliseconds: milliseconds)
    #expect(text.hasPrefix(HumanText.text(of: fields, zone: nil)))
    #expect(text.split(separator: " ").count == 3)
  }

  @Test func theFieldsOfATimeAreOrderedToSort() {
    var fields = tm()
    (fields.tm_year, fields.tm_mon, fields.tm_mday) = (126, 2, 1)
    (fields.tm_hour, fields.tm_min, fields.tm_sec) = (4, 3, 22)
    #expect(HumanText.text(of: fields, zone: "CET") == "2026-03-01 04:03:22 CET")
  }
}

@Suite struct ProgressBarTests {
  private let plain = Style(isPlain: true)

  @Test func theLineFitsItsWidth() {
    for width in 0...60 {
      #expect(ProgressLine.text("Reading", done: 3, total: 7, width: width, style: plain).count <= width)
    }
    let line = ProgressLine.text("Reading", done: 5, total: 10, width: 60, style: plain)
    #expect(line == "Reading [###############---------------] 50% (5/10)")
    #expect(ProgressLine.text("Reading", done: 5, total: nil, width: 60, style: plain) == "Reading 5")
    #expect(ProgressLine.text("R", done: 12, total: 10, width: 60, style: plain).hasSuffix("100% (10/10)"))
  }

  @Test func itDrawsAtMostTenTimesASecondAndCleansUp() {
    let sink = CollectingSink()
    let clock = Mutex(Duration.zero)
    let bar = ProgressBar(sink: sink, style: plain, width: 80, now: { clock.withLock { $0 } })
    bar.update("A", done: 1, total: nil)
    bar.update("A", done: 2, total: nil)
    clock.withLock { $0 = .milliseconds(100) }
    bar.update("A", done: 3, total: nil)
    bar.finish()
    bar.finish()
    #expect(sink.text == "\r\u{1B}[KA 1\r\u{1B}[KA 3\r\u{1B}[K")
  }

  @Test func itShowsOnlyOnATerminalAndNotBesideJSON() throws {
    let errors = CollectingSink()
    var context = ToolContext.scripted(output: CollectingSink(), errors: errors)
    context.progressBar(for: try parsed("sync", "a")).update("A", done: 1, total: 2)
    context.isTerminal = true
    context.progressBar(for: try parsed("sync", "a", "--json")).update("A", done: 1, total: 2)
    #expect(errors.text == "")
    context.progressBar(for: try parsed("sync", "a")).update("A", done: 1, total: 2)
    #expect(errors.text.contains("50%"))
  }

  @Test func colourGivesWayToNoColorFilesAndDumbTerminals() {
    #expect(Style(environment: [:], isTerminal: true).strong("x") == "\u{1B}[1mx\u{1B}[0m")
    #expect(Style(environment: ["NO_COLOR": ""], isTerminal: true).isPlain == false)
    #expect(Style(environment: ["NO_COLOR": "1"], isTerminal: true).strong("x") == "x")
    #expect(Style(environment: ["TERM": "dumb"], isTerminal: true).isPlain)
    #expect(Style(environment: [:], isTerminal: false).isPlain)
  }
}
