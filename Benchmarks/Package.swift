// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "bench",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "tributary", path: "..")],
  targets: [
    .systemLibrary(name: "CPlainSQLite", pkgConfig: "sqlite3"),
    .executableTarget(
      name: "Bench", dependencies: ["CPlainSQLite", .product(name: "Tributary", package: "tributary")]),
  ],
  swiftLanguageModes: [.v6]
)
