package import ArtworkPipeline
import ArtworkService
package import Fixtures
package import Foundation
package import SystemPackage
package import Testing

/// The folder of Package.swift.
package enum Checkout {
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}

/// The files, or their endings, that this build reads and writes.
package func built(_ names: [String]) -> [String] {
  names.filter { !$0.hasSuffix("webp") || OptionalLibrary.webP.isPresent }
}

extension Fixture {
  package var path: FilePath { FilePath(url.path) }

  /// The command that overwrites the display matrix of an MP4 file: its further words are the file, the degrees clockwise
  /// by which it is shown turned, and the coded size. From FFmpeg 7 on, `-metadata:s:v rotate` writes no matrix.
  package static let turn = [
    ReportSchema.python, Checkout.root.appendingPathComponent("Scripts/fixtures/boxes.py").path,
  ]
}

/// Real files from public test suites with facts measured by ffprobe. They are too large for the
/// repository: tests that use them are skipped where they are absent.
package struct RealMedia: Decodable, Sendable, CustomTestStringConvertible {
  // The names in the manifest.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  package struct Facts: Decodable, Sendable {
    package var readable: Bool
    package var format: String?
    package var brand: String?
    package var codec: String?
    package var profile: String?
    package var pix_fmt: String?
    package var coded_size: [Int]?
    package var display_size: [Int]?
    package var sar: String?
    package var rotation_cw: Int?
    package var mirrored: Bool?
    package var avg_fps: String?
    package var r_fps: String?
    package var decoded_frames: Int?
    package var stream_duration: String?
    package var format_duration: String?
    package var first_frame_pts: Double?
    package var min_frame_step: Double?
    package var max_frame_step: Double?
    package var discard_packets: Int?
    package var color_space: String?
    package var color_transfer: String?
    package var color_primaries: String?
    package var color_range: String?
    package var streams: [String]
    package var framemd5_first: String?
    package var framemd5_last: String?
    package var framemd5_count: Int?
  }

  package var name: String
  package var size: Int64
  package var tags: [String]
  package var facts: Facts

  package var testDescription: String { name }
  package var path: FilePath { FilePath(Self.folder.appendingPathComponent(name).path) }

  package static let folder = Checkout.root.deletingLastPathComponent()
    .appendingPathComponent("shared/media")

  package static let all: [RealMedia] = {
    struct Manifest: Decodable { var files: [RealMedia] }
    guard let data = try? Data(contentsOf: folder.appendingPathComponent("manifest.json")) else {
      FileHandle.standardError.write(
        Data("SKIPPED: no real media at ../shared/media, its tests do not run\n".utf8))
      return []
    }
    do {
      return try JSONDecoder().decode(Manifest.self, from: data).files
    } catch {
      fatalError("the manifest of real media is not what it should be: \(error)")
    }
  }()

  package static var isPresent: Bool { !all.isEmpty }
  package static let absence: Comment = "../shared/media is not there"
}

/// Runs a program and returns its status and output.
@discardableResult
package func run(
  _ program: String, _ arguments: [String], in folder: URL? = nil,
  environment: [String: String] = [:], input: String? = nil
) throws -> (status: Int32, output: Data, error: String) {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [program] + arguments
  process.currentDirectoryURL = folder
  let scratch = try TemporaryFolder()
  // Measurements of one run must not hide the behaviour of another from a test.
  process.environment = ProcessInfo.processInfo.environment
    .merging(["ARTWORKD_CACHE_DIR": scratch.url("cache").path]) { $1 }.merging(environment) { $1 }
  let (out, err) = (scratch.url("out"), scratch.url("err"))
  for url in [out, err] { try Data().write(to: url) }
  process.standardOutput = try FileHandle(forWritingTo: out)
  process.standardError = try FileHandle(forWritingTo: err)
  if let input {
    let url = scratch.url("in")
    try Data(input.utf8).write(to: url)
    process.standardInput = try FileHandle(forReadingFrom: url)
  } else {
    process.standardInput = FileHandle.nullDevice
  }
  try process.run()
  process.waitUntilExit()
  return (
    process.terminationStatus, try Data(contentsOf: out),
    String(decoding: try Data(contentsOf: err), as: UTF8.self)
  )
}

/// Waits until a process handles a signal itself. Before that, the signal would end it as it ends any program.
package func waitUntilCaught(_ signal: Int32, by process: Process) throws {
  for _ in 0..<6000 {
    try #require(process.isRunning, "it ended early")
    let status = try String(
      contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    let mask = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }?
      .split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
    if (mask ?? 0) >> UInt64(signal - 1) & 1 == 1 { return }
    usleep(10_000)
  }
  Issue.record("it does not handle signal \(signal)")
}

/// A folder that goes away with its owner.
package final class TemporaryFolder: Sendable {
  package let root: URL

  package init() throws {
    root = FileManager.default.temporaryDirectory
      .appendingPathComponent("artworkd-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  /// A copy of a fixture, and the folders above it.
  package func copy(_ fixture: Fixture, to name: String) throws {
    try FileManager.default.createDirectory(
      at: url(name).deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: fixture.url, to: url(name))
  }

  /// Waits until no file changed so lately that a further change may not show in its times: caches keep nothing of
  /// such files, and nobody can set these times back.
  package func waitUntilSettled() throws {
    let names = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    let stamps = names.compactMap { FileStamp(of: path($0)) }
    try #require(!stamps.isEmpty)
    for _ in 0..<1000 where !stamps.allSatisfy({ $0.isSettled(at: .sinceEpoch) }) { usleep(10_000) }
    try #require(stamps.allSatisfy { $0.isSettled(at: .sinceEpoch) }, "the clock stands still")
  }

  package func url(_ name: String) -> URL { root.appendingPathComponent(name) }
  package func path(_ name: String) -> FilePath { FilePath(url(name).path) }
}

/// Reproducible noise (a linear congruential generator; the low bits are poor).
package struct Noise: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  package mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state
  }
}

/// The preview of a fixture, inspected in this process.
package func preview(
  _ fixture: Fixture, _ request: Inspector.PreviewRequest = .original
) throws -> PixelImage {
  try #require(try Inspector().inspect(fixture.path, preview: request).preview)
}
