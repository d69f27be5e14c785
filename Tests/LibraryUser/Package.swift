// swift-tools-version:6.2
import PackageDescription

// A package as users write it: it sees what is public in the products and nothing else. Scripts/try/library adds the programs
// that the tutorial and the pages show, builds all and runs them.
let package = Package(
  name: "LibraryUser",
  dependencies: [
    .package(name: "artworkd", path: "../.."),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
  ],
  targets: ["Check", "Folder", "Page", "Draw", "Make", "Publish"].map { name in
    .executableTarget(
      name: name,
      dependencies: ["ArtworkClients", "ArtworkLottie", "ArtworkModel", "ArtworkPipeline"].map {
        .product(name: $0, package: "artworkd")
      } + [.product(name: "SystemPackage", package: "swift-system")],
      swiftSettings: [
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
      ])
  })
