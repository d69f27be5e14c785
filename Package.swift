// swift-tools-version:6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// Scripts/test sets this. Tests decode and compare many frames, which unoptimised Swift does ten times slower. Whoever
// depends on this package never sees the flag, which SwiftPM calls unsafe.
let optimized: [SwiftSetting] =
  Context.environment["ARTWORKD_OPTIMIZED_TESTS"] == "1" ? [.unsafeFlags(["-O"])] : []

let package = Package(
  name: "artworkd",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "ArtworkModel", targets: ["ArtworkModel"]),
    .library(name: "ArtworkPipeline", targets: ["ArtworkPipeline"]),
    .library(name: "ArtworkClients", targets: ["ArtworkClients"]),
    .executable(name: "artworkd", targets: ["artworkd"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0", traits: []),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    // Without the parts that need all of Foundation, and without swift-configuration.
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    // Without its part that needs all of Foundation.
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
  ],
  targets: [
    // The C libraries. Everything that differs between FFmpeg 5.1 and 8 is in CFFmpeg/shim.h.
    .systemLibrary(
      name: "CFFmpeg",
      pkgConfig: "libavformat",
      providers: [
        .apt(["libavformat-dev", "libavcodec-dev", "libswscale-dev", "libavutil-dev"]),
        .brew(["ffmpeg"]),
      ]),
    .systemLibrary(
      name: "CLibPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .systemLibrary(
      name: "CLibDeflate", pkgConfig: "libdeflate",
      providers: [.apt(["libdeflate-dev"]), .brew(["libdeflate"])]),
    .systemLibrary(
      name: "CLibSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CYAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    // fork, descriptors through sockets, Landlock and seccomp: what Swift cannot call.
    .target(
      name: "CIsolation",
      dependencies: [.target(name: "CLibSeccomp", condition: .when(platforms: [.linux]))]),
    // libpng reports errors with longjmp, which must not cross Swift frames: C calls it, Swift calls C.
    .target(name: "CPNG", dependencies: ["CLibPNG", "CLibDeflate"]),
    // The search for block motion, quick also in debug builds.
    .target(name: "CKernels"),
    // Calls of the operating system that Swift cannot make by itself.
    .target(name: "CSystemCalls"),
    // Identifiers, sessions, and what travels between the service and its clients. No C library.
    .target(name: "ArtworkModel", swiftSettings: settings),
    // HTTP transfers through the system's libcurl.
    .target(name: "WebTransfer", dependencies: ["CCurl"], swiftSettings: settings),
    // The client of the service.
    .target(
      name: "ArtworkClients", dependencies: ["ArtworkModel", "WebTransfer"],
      swiftSettings: settings),
    // Inspection, rules and reports.
    .target(
      name: "ArtworkPipeline",
      dependencies: [
        "ArtworkModel", "CCrypto", "CFFmpeg", "CIsolation", "CKernels", "CPNG", "CSQLite",
        "CSystemCalls", "CYAML",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      // The page of the HTML report is part of the binary, which needs no folder beside it.
      resources: [.embedInCode("Reports/Page")],
      swiftSettings: settings + optimized),
    // Artworks by ID on disk, leases, what is playing, and sources on the web.
    .target(
      name: "ArtworkStore",
      dependencies: [
        "ArtworkModel", "ArtworkPipeline", "CSystemCalls", "WebTransfer",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: settings),
    // The service beside a player: HTTP over a Unix socket or loopback.
    .target(
      name: "ArtworkService",
      dependencies: [
        "ArtworkModel", "ArtworkPipeline", "ArtworkStore", "CSystemCalls",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "SystemPackage", package: "swift-system"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      resources: [.embedInCode("Page"), .embedInCode("openapi.json")],
      swiftSettings: settings),
    .executableTarget(
      name: "artworkd",
      dependencies: [
        "ArtworkClients", "ArtworkModel", "ArtworkPipeline", "ArtworkService", "ArtworkStore",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: settings),
    // The sample clips and what is known about them. Test-only.
    .target(
      name: "Fixtures", path: "Tests/Fixtures", exclude: ["media", "fixtures.json"],
      swiftSettings: settings),
    // Files made to hurt whoever reads them, and a mutator of others. Test-only.
    .target(
      name: "HostileMedia", dependencies: ["Fixtures"], path: "Tests/HostileMedia",
      swiftSettings: settings),
    // Writes those files, and runs mutants through the tool. Used by a test and by Scripts/fuzz.
    .executableTarget(
      name: "mutate",
      dependencies: [
        "HostileMedia", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/Mutate", swiftSettings: settings),
    // Judges labelled loops with several windows. Test-only; Scripts/seams/evaluate runs it.
    .executableTarget(
      name: "seam-trial",
      dependencies: [
        "ArtworkModel", "ArtworkPipeline",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/SeamTrial", swiftSettings: settings),
    // Drives a store that is killed meanwhile, and one that an oracle watches. Test-only.
    .executableTarget(
      name: "store-trial",
      dependencies: [
        "ArtworkModel", "ArtworkPipeline", "ArtworkStore", "Fixtures",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/StoreTrial", swiftSettings: settings),
    // What the tests share: the built tool, folders, a service to talk to, schemas. Test-only.
    .target(
      name: "TestSupport",
      dependencies: [
        "ArtworkModel", "ArtworkPipeline", "ArtworkService", "ArtworkStore", "Fixtures",
        "HostileMedia",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/TestSupport",
      exclude: ["junit.xsd", "sarif.schema.json", "see-page"],
      swiftSettings: settings),
    .testTarget(
      name: "ArtworkModelTests",
      dependencies: [
        "ArtworkModel",
        "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "WebTransferTests",
      dependencies: [
        "TestSupport",
        "WebTransfer",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ArtworkPipelineTests",
      dependencies: [
        "ArtworkModel",
        "ArtworkPipeline",
        "Fixtures",
        "TestSupport",
        "HostileMedia",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ArtworkStoreTests",
      dependencies: [
        "ArtworkModel",
        "ArtworkPipeline",
        "ArtworkStore",
        "WebTransfer",
        "Fixtures",
        "TestSupport",
        "store-trial",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ArtworkClientsTests",
      dependencies: [
        "ArtworkClients",
        "ArtworkModel",
        "Fixtures",
        "TestSupport",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ArtworkServiceTests",
      dependencies: [
        "ArtworkClients",
        "ArtworkModel",
        "ArtworkPipeline",
        "ArtworkService",
        "ArtworkStore",
        "Fixtures",
        "TestSupport",
        "artworkd",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      exclude: ["Page/see-now-playing"],
      swiftSettings: settings),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "ArtworkClients",
        "ArtworkModel",
        "ArtworkPipeline",
        "ArtworkService",
        "ArtworkStore",
        "Fixtures",
        "TestSupport",
        "HostileMedia",
        "artworkd",
        "mutate",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: settings),
  ]
)
