import Fixtures
import Foundation
import SystemPackage
import Testing

@testable import ArtworkPipeline

extension Fixture {
  var path: FilePath { FilePath(url.path) }
}

/// Real files from public test suites with facts measured by ffprobe. They are too large for the
/// repository: tests that use them are skipped where they are absent.
struct RealMedia: Decodable, Sendable, CustomTestStringConvertible {
  // The names in the manifest.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  struct Facts: Decodable, Sendable {
    var readable: Bool
    var format: String?
    var brand: String?
    var codec: String?
    var profile: String?
    var pix_fmt: String?
    var coded_size: [Int]?
    var display_size: [Int]?
    var sar: String?
    var rotation_cw: Int?
    var mirrored: Bool?
    var avg_fps: String?
    var r_fps: String?
    var decoded_frames: Int?
    var stream_duration: String?
    var format_duration: String?
    var first_frame_pts: Double?
    var min_frame_step: Double?
    var max_frame_step: Double?
    var discard_packets: Int?
    var color_space: String?
    var color_transfer: String?
    var color_primaries: String?
    var color_range: String?
    var streams: [String]
    var framemd5_first: String?
    var framemd5_last: String?
    var framemd5_count: Int?
  }

  var name: String
  var size: Int64
  var tags: [String]
  var facts: Facts

  var testDescription: String { name }
  var path: FilePath { FilePath(Self.folder.appendingPathComponent(name).path) }

  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("shared/media")

  static let all: [RealMedia] = {
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

  static var isPresent: Bool { !all.isEmpty }
  static let absence: Comment = "../shared/media is not there"
}

/// Runs a program and returns its status and output.
@discardableResult
func run(
  _ program: String, _ arguments: [String], in folder: URL? = nil,
  environment: [String: String] = [:], input: String? = nil
) throws -> (status: Int32, output: Data, error: String) {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [program] + arguments
  process.currentDirectoryURL = folder
  let scratch = try TemporaryFolder()
  // What one run has measured is not to hide from a test what another one does.
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

/// A folder that goes away with its owner.
final class TemporaryFolder: Sendable {
  let root: URL

  init() throws {
    root = FileManager.default.temporaryDirectory
      .appendingPathComponent("artworkd-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  /// A copy of a fixture, and the folders above it.
  func copy(_ fixture: Fixture, to name: String) throws {
    try FileManager.default.createDirectory(
      at: url(name).deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: fixture.url, to: url(name))
  }

  func url(_ name: String) -> URL { root.appendingPathComponent(name) }
  func path(_ name: String) -> FilePath { FilePath(url(name).path) }
}

/// Reproducible noise (a linear congruential generator; the low bits are poor).
struct Noise: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state
  }
}
