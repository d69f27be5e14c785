// swift-tools-version:6.2
import PackageDescription

// Macros of tests expand to expressions that cannot be marked as unsafe.
let testSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
let settings = testSettings + [.strictMemorySafety()]

// Scripts/test sets the variable. Tests decode and compare many frames, and unoptimised Swift is slow at that. A package that
// depends on this one never gets the flag, which SwiftPM calls unsafe.
let isOptimized = Context.environment["ARTWORKD_OPTIMIZED_TESTS"] == "1"
let optimized: [SwiftSetting] = isOptimized ? [.unsafeFlags(["-O"])] : []
let optimizedC: [CSetting] = isOptimized ? [.unsafeFlags(["-O2"])] : []

// What several targets use.
let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")

let package = Package(
  name: "artworkd",
  products: [
    .library(name: "ArtworkModel", targets: ["ArtworkModel"]),
    .library(name: "ArtworkPipeline", targets: ["ArtworkPipeline"]),
    .library(name: "ArtworkClients", targets: ["ArtworkClients"]),
    .library(name: "ArtworkLottie", targets: ["ArtworkLottie"]),
    .executable(name: "artworkd", targets: ["artworkd"]),
  ],
  // One for each C library that a build may go without. See docs/decisions/0045.
  traits: [
    .trait(
      name: "DesktopPlayers",
      description: "Follows the players of a Linux desktop over D-Bus, through libsystemd."),
    .trait(name: "Lottie", description: "Draws Lottie animations, through librlottie."),
    .trait(
      name: "WebP",
      description: "Writes previews as WebP and reads animated WebP, through libwebp."),
    .default(enabledTraits: ["DesktopPlayers", "Lottie", "WebP"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    // The C libraries. Everything that differs between FFmpeg 5.1 and 9 is in CFFmpeg/shim.h.
    .systemLibrary(
      name: "CFFmpeg",
      pkgConfig: "libavformat",
      providers: [
        .apt(["libavformat-dev", "libavcodec-dev", "libswscale-dev", "libavutil-dev"])
      ]),
    .systemLibrary(
      name: "CLibPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(
      name: "CLibDeflate", pkgConfig: "libdeflate",
      providers: [.apt(["libdeflate-dev"])]),
    .systemLibrary(
      name: "CLittleCMS", pkgConfig: "lcms2", providers: [.apt(["liblcms2-dev"])]),
    .systemLibrary(
      name: "CLibSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(
      name: "CLottie", pkgConfig: "rlottie", providers: [.apt(["librlottie-dev"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CYAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(
      name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(
      name: "CWebP", pkgConfig: "libwebpdemux",
      providers: [.apt(["libwebp-dev"])]),
    // fork, descriptors through sockets, Landlock and seccomp: what Swift cannot call.
    .target(
      name: "CIsolation",
      dependencies: ["CLibSeccomp"]),
    // libpng reports errors with longjmp, which must not cross Swift frames: C calls it, Swift calls C.
    .target(name: "CPNG", dependencies: ["CLibPNG", "CLibDeflate"], cSettings: optimizedC),
    // The search for block motion, quick also in debug builds.
    .target(name: "CKernels", cSettings: optimizedC),
    // Calls of the operating system that Swift cannot make by itself.
    .target(name: "CSystemCalls"),
    // The web pages, the description of the service and what `artworkd explain` prints, as bytes of the program.
    .target(name: "CEmbedded"),
    // Identifiers, sessions, and what travels between the service and its clients. No C library.
    .target(name: "ArtworkModel", swiftSettings: settings),
    // The client of the service, and HTTP transfers through the system's libcurl.
    .target(
      name: "ArtworkClients", dependencies: ["ArtworkModel", "CCurl", "CSystemCalls"],
      swiftSettings: settings),
    // Lottie animations: reading, changing, drawing.
    .target(
      name: "ArtworkLottie",
      dependencies: [
        "ArtworkModel", "CKernels", "CLibDeflate",
        .target(name: "CLottie", condition: .when(traits: ["Lottie"])),
      ],
      swiftSettings: settings + optimized),
    // Files that are opened once and written whole, digests, SQLite, text.
    .target(
      name: "ArtworkFiles",
      dependencies: [
        "ArtworkModel", "CCrypto", "CEmbedded", "CSQLite", "CSystemCalls", systemPackage,
      ],
      swiftSettings: settings),
    // Facts, measurements of frames, and recipes for new ones: values and arithmetic. Reads no video.
    .target(
      name: "ArtworkMeasuring",
      dependencies: ["ArtworkFiles", "CKernels", "CLittleCMS"],
      swiftSettings: settings + optimized),
    // Profiles, rules, verdicts, releases, artwork.yml, reports: pure functions of what was measured.
    .target(
      name: "ArtworkJudging",
      dependencies: ["ArtworkMeasuring", "CEmbedded", "CYAML"],
      exclude: ["Reports/Page"],
      swiftSettings: settings),
    // Frames in and out: FFmpeg, ISO media, PNG, WebP, drawn animations.
    .target(
      name: "ArtworkMedia",
      dependencies: [
        "ArtworkLottie", "ArtworkMeasuring", "CFFmpeg", "CPNG",
        .target(name: "CWebP", condition: .when(traits: ["WebP"])),
      ],
      swiftSettings: settings + optimized),
    // Candidates, jobs and workers, what is made, the cache and batches; the product, which exports those above.
    .target(
      name: "ArtworkPipeline",
      dependencies: [
        "ArtworkJudging", "ArtworkLottie", "ArtworkMedia", "CEmbedded", "CIsolation", logging,
      ],
      swiftSettings: settings),
    // The service beside a player: artworks by ID on disk, leases, what is playing, sources on the web, and HTTP over a
    // Unix socket or loopback.
    .target(
      name: "ArtworkService",
      dependencies: [
        "ArtworkClients", "ArtworkModel", "ArtworkPipeline", "CEmbedded", "CSystemCalls", logging,
        nioCore, nioHTTP1,
        .product(name: "NIOPosix", package: "swift-nio"), systemPackage,
      ],
      exclude: ["Page", "openapi.json"],
      swiftSettings: settings),
    // The players of a desktop: followed into sessions, and sessions shown to the desktop as players.
    .target(
      name: "ArtworkCompanion",
      dependencies: [
        "ArtworkClients", "ArtworkModel", "ArtworkPipeline",
        .target(
          name: "CSystemd", condition: .when(traits: ["DesktopPlayers"])),
        systemPackage,
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "artworkd",
      dependencies: [
        "ArtworkClients", "ArtworkCompanion", "ArtworkLottie", "ArtworkModel", "ArtworkPipeline",
        "ArtworkService",
        argumentParser, logging, systemPackage,
      ],
      swiftSettings: settings),
    // The sample clips and what is known about them. Test-only.
    .target(
      name: "Fixtures", path: "Tests/Fixtures",
      exclude: [
        "covers", "media", "fixtures.json", "kernels.csv", "reports", "seam-verdicts.txt",
        "seams.ndjson.gz",
      ],
      swiftSettings: testSettings),
    // Files made to hurt whoever reads them, and a mutator of others. Test-only.
    .target(
      name: "HostileMedia", dependencies: ["Fixtures"], path: "Tests/HostileMedia",
      swiftSettings: testSettings),
    // Writes those files, and runs mutants through the tool. Used by a test and by Scripts/try/fuzz.
    .executableTarget(
      name: "mutate",
      dependencies: ["HostileMedia", argumentParser],
      path: "Tests/Mutate", swiftSettings: testSettings),
    // Drives a store that is killed meanwhile, and one that an oracle watches. Test-only.
    .executableTarget(
      name: "store-trial",
      dependencies: [
        "ArtworkModel", "ArtworkPipeline", "ArtworkService", "Fixtures", argumentParser, logging,
        systemPackage,
      ],
      path: "Tests/StoreTrial", swiftSettings: testSettings),
    // Judges labelled clips for Scripts/accuracy/seams. Test-only.
    .executableTarget(
      name: "seam-trial",
      dependencies: [
        "ArtworkPipeline", argumentParser, systemPackage,
      ],
      path: "Scripts/accuracy/seams/seam-trial", swiftSettings: testSettings),
    // What the tests share: the built tool, folders, a service to talk to, schemas. Test-only.
    .target(
      name: "TestSupport",
      dependencies: [
        "ArtworkModel", "ArtworkPipeline", "ArtworkService", "Fixtures",
        "HostileMedia", logging, systemPackage,
      ],
      path: "Tests/TestSupport",
      exclude: ["junit.xsd", "sarif.schema.json", "browser"],
      swiftSettings: testSettings),
    .testTarget(
      name: "ArtworkModelTests", dependencies: ["ArtworkModel", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "WebTransferTests", dependencies: ["ArtworkClients", "CSystemCalls", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "ArtworkLottieTests",
      dependencies: ["ArtworkLottie", "ArtworkModel", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "ArtworkPipelineTests",
      dependencies: [
        "ArtworkJudging", "ArtworkMedia", "ArtworkModel", "ArtworkPipeline", "CFFmpeg", "CKernels",
        "Fixtures", "TestSupport",
        "artworkd", logging,
        systemPackage,
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "ArtworkStoreTests",
      dependencies: [
        "ArtworkModel", "ArtworkPipeline", "ArtworkService", "Fixtures", "TestSupport",
        "artworkd", "store-trial", logging, systemPackage,
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "ArtworkClientsTests",
      dependencies: [
        "ArtworkClients", "ArtworkModel", "ArtworkPipeline", "Fixtures", "TestSupport",
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "ArtworkCompanionTests",
      dependencies: [
        "ArtworkClients", "ArtworkCompanion", "ArtworkModel", "ArtworkPipeline", "ArtworkService",
        "Fixtures", "TestSupport", "artworkd", systemPackage,
      ],
      exclude: ["fake-player"],
      swiftSettings: testSettings),
    .testTarget(
      name: "ArtworkServiceTests",
      dependencies: [
        "ArtworkClients", "ArtworkModel", "ArtworkPipeline", "ArtworkService",
        "Fixtures", "TestSupport", "artworkd", logging, nioCore, nioHTTP1,
        systemPackage,
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "ArtworkClients", "ArtworkCompanion", "ArtworkLottie", "ArtworkModel", "ArtworkPipeline",
        "ArtworkService", "Fixtures", "HostileMedia", "TestSupport", "artworkd",
        "mutate", systemPackage,
      ],
      swiftSettings: testSettings),
  ]
)
