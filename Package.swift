// swift-tools-version: 6.2
import PackageDescription

/// Language rules that every target keeps.
let rules: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: rules)
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: rules)
}

func system(_ name: String, pkgConfig: String?, apt: String, brew: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig,
    providers: [.apt([apt]), .brew([brew])])
}

let package = Package(
  name: "tributary",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [
    .library(name: "Tributary", targets: ["Tributary"]),
    .library(name: "TributaryTesting", targets: ["TributaryTesting"]),
    .executable(name: "tributary", targets: ["TributaryTool"]),
  ],
  targets: [
    // Arrows point downward only; each layer is a target so that the package manager enforces it.
    system("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev", brew: "sqlite3"),
    system("CSodium", pkgConfig: "libsodium", apt: "libsodium-dev", brew: "libsodium"),
    system("CZstd", pkgConfig: "libzstd", apt: "libzstd-dev", brew: "zstd"),
    // No pkgConfig: its flags are ones that the package manager refuses.
    system("CUTF8Proc", pkgConfig: nil, apt: "libutf8proc-dev", brew: "utf8proc"),
    .target(name: "CPlatform", path: "Sources/System/CPlatform"),

    module("TributaryModel"),
    module("SQLite", ["TributaryModel", "CSQLite", "CPlatform"]),
    module("TributaryCodec", ["TributaryModel", "CSodium", "CZstd", "CUTF8Proc"]),
    module("TributaryWire", ["TributaryModel", "TributaryCodec"]),
    module("TributaryStore", ["TributaryModel", "TributaryCodec", "SQLite", "CSQLite"]),
    module("TributaryRemotes", ["TributaryModel", "CPlatform"]),
    module("TributaryCustody", ["TributaryModel", "TributaryCodec", "CPlatform", "CSodium"]),
    module(
      "Tributary",
      [
        "TributaryModel", "TributaryCodec", "TributaryWire", "TributaryStore", "TributaryRemotes",
        "TributaryCustody", "SQLite",
      ]),
    module(
      "TributaryTesting",
      ["Tributary", "TributaryRemotes", "TributaryCustody", "TributaryModel", "TributaryCodec"]),
    .executableTarget(
      name: "TributaryTool",
      dependencies: [
        "Tributary", "TributaryModel", "TributaryCodec", "TributaryWire", "TributaryStore",
        "TributaryRemotes",
        "TributaryCustody", "SQLite", "CSQLite", "CPlatform",
      ], swiftSettings: rules),

    // Where the whole work of the performance targets is measured. No product has it.
    .executableTarget(
      name: "Bench",
      dependencies: ["Tributary", "TributaryModel", "TributaryStore", "CSQLite", "CSodium", "CZstd"],
      path: "Benchmarks", swiftSettings: rules),

    // What several test targets share. No product has it.
    .target(
      name: "TestSupport", dependencies: ["TributaryModel", "TributaryCodec", "TributaryStore", "SQLite"],
      path: "Tests/Support",
      swiftSettings: rules),

    tests("SQLiteTests", ["SQLite", "TestSupport"]),
    tests("TributaryModelTests", ["TributaryModel", "TestSupport"]),
    tests("TributaryCodecTests", ["TributaryCodec", "TestSupport"]),
    tests("TributaryWireTests", ["TributaryWire", "TestSupport"]),
    tests("TributaryStoreTests", ["TributaryStore", "TestSupport"]),
    tests("TributaryRemotesTests", ["TributaryRemotes", "TributaryTesting", "TestSupport"]),
    tests("TributaryCustodyTests", ["TributaryCustody", "TestSupport"]),
    tests("TributaryTests", ["Tributary", "TributaryTesting", "SQLite"]),
    tests("TributaryToolTests", ["TributaryTool"]),
    tests(
      "Simulation",
      [
        "Tributary", "TributaryTesting", "SQLite", "TributaryStore", "TributaryCodec", "TributaryCustody",
        "TributaryRemotes", "TributaryWire", "TributaryModel", "TestSupport",
      ]),
    tests(
      "Golden",
      [
        "Tributary", "TributaryTesting", "TributaryStore", "TributaryCodec", "TributaryCustody",
        "TributaryRemotes", "TributaryWire", "TributaryModel", "SQLite", "TestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
