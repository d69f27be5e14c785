// swift-tools-version:6.2
import PackageDescription

// libFuzzer against the inspector, in one process. A package of its own, so that the main build knows
// nothing of it. `Scripts/try/fuzz --libfuzzer SECONDS` builds and runs it.
let package = Package(
  name: "artworkd-fuzz",
  dependencies: [
    .package(name: "artworkd", path: ".."),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
  ],
  targets: [
    .executableTarget(
      name: "fuzz-inspector",
      dependencies: [
        .product(name: "ArtworkPipeline", package: "artworkd"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Sources/fuzz",
      swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")])
  ]
)
