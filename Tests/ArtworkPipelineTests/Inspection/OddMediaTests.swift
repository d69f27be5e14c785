import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ArtworkAnalysis
@testable import ArtworkMedia
@testable import ArtworkModel
@testable import ArtworkPipeline
@testable import ArtworkRules

/// Files as people bring them that say less, or something else, than files usually do. Each is made by ffmpeg.
@Suite struct OddMediaTests {
  static func inspection(_ clip: MadeClip, _ name: String? = nil) throws -> Inspection {
    try Inspector().inspect(clip.folder.path(name ?? clip.name)).inspection
  }

  static func findings(_ inspection: Inspection, _ rule: String) -> [Finding] {
    Rules.judge(inspection, key: .square, profile: .nowPlaying).findings.filter {
      $0.rule == rule
    }
  }

  static let h264 = ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p"]

  // MARK: - Times

  @Test(
    "H.264 with B-frames in AVI has the rate and the length of its header", arguments: [24, 30])
  func avi(rate: Int) throws {
    let clip = try MadeClip(
      named: "a.avi",
      ["-f", "lavfi", "-i", "testsrc2=s=96x96:r=\(rate):d=2"] + Self.h264 + ["-bf", "2"])
    let facts = try Self.inspection(clip).facts
    #expect(facts.frameCount == rate * 2)
    #expect(facts.frameRateRatio == Rational(Int64(rate)))
    #expect(facts.frameRateMode == .constant)
    #expect(abs(facts.durationSeconds - 2) < 0.001 && facts.startSeconds == 0)
    #expect(facts.timeSource == .decoding)
    #expect(Recipe(copying: facts, for: [.nowPlaying], mending: [.lossless]) == nil)
  }

  @Test("AVI made by remuxing an MP4 file keeps its rate")
  func remuxedAVI() throws {
    let clip = try MadeClip(
      named: "x.mp4",
      ["-f", "lavfi", "-i", "testsrc2=s=96x96:r=24:d=4"] + Self.h264 + ["-bf", "2"])
    let made = try run(
      "ffmpeg", ["-v", "error", "-i", "x.mp4", "-c", "copy", "x.avi"], in: clip.folder.root)
    #expect(made.status == 0)
    let facts = try Self.inspection(clip, "x.avi").facts
    #expect(facts.frameRateRatio == Rational(24) && facts.frameCount == 96)
    #expect(abs(facts.durationSeconds - 4) < 0.001)
    #expect(try Self.inspection(clip).facts.timeSource == .presentation)
  }

  @Test("a cut copy lasts to the end of its last frame, and its own copy is the same clip")
  func cutCopy() throws {
    let clip = try MadeClip(
      named: "s.mp4",
      ["-f", "lavfi", "-i", "testsrc2=s=96x96:r=30:d=6"] + Self.h264 + ["-g", "60"])
    let made = try run(
      "ffmpeg", ["-v", "error", "-i", "s.mp4", "-ss", "1", "-t", "2", "-c", "copy", "cut.mp4"],
      in: clip.folder.root)
    #expect(made.status == 0)
    let times = try clip.times("cut.mp4")
    // A frame that others refer to is gone.
    #expect(zip(times, times.dropFirst()).contains { $1 - $0 > 1.5 / 30 })
    let facts = try Self.inspection(clip, "cut.mp4").facts
    // To the end of the last frame, which a thirtieth of a second ends.
    #expect(abs(facts.durationSeconds - ((times.last ?? 0) + 1.0 / 30)) < 0.002)
    let recipe = try #require(
      Recipe(copying: facts, for: [.nowPlaying], mending: [.lossless]))
    let copy = try Inspector().copy(
      Candidate(path: clip.folder.path("cut.mp4")), recipe, inspecting: nil)
    #expect(ClipRepairer.doubt(copy, facts, recipe) == nil)
  }

  @Test("WebP pictures of 16, 17 and 17 ms are 60 a second, one that is shown twice as long is not")
  func milliseconds() throws {
    func timing(_ milliseconds: [Int64]) throws -> FrameTiming {
      let clock = PictureSequence.Clock(milliseconds.compactMap { Rational($0, 1000) })
      return FrameTiming(
        timestamps: clock.timestamps, timeBase: clock.timeBase, lastDuration: clock.lastDuration,
        declaredDuration: nil, rounding: clock.rounding)
    }
    let even = try timing((0..<60).map { $0 % 3 == 0 ? 16 : 17 })
    #expect(even.mode == .constant && even.rate == Rational(60))
    #expect(try timing([16, 17, 17, 33, 17, 16, 17, 17]).mode == .variable)
  }

  // MARK: - Parameter sets

  /// A clip of which the box of this name has no parameter sets: the byte counts their arrays.
  static func withoutSets(_ encoder: [String], box: String, count: Int) throws -> MadeClip {
    let clip = try MadeClip(
      ["-f", "lavfi", "-i", "testsrc2=s=96x96:r=30:d=1", "-pix_fmt", "yuv420p"] + encoder)
    var bytes = try Data(contentsOf: clip.folder.url(clip.name))
    let found = try #require(bytes.range(of: Data(box.utf8)))
    bytes[found.upperBound + count] &= box == "avcC" ? 0xe0 : 0
    try bytes.write(to: clip.folder.url(clip.name))
    return clip
  }

  static let hevc = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params"]

  @Test(
    "HEVC with parameter sets among its frames only is an error that no copy mends",
    arguments: ["hev1", "hvc1"])
  func setsInFrames(tag: String) throws {
    let clip = try Self.withoutSets(
      Self.hevc + ["log-level=none:repeat-headers=1:bframes=0", "-tag:v", tag], box: "hvcC",
      count: 22)
    let inspection = try Self.inspection(clip)
    #expect(inspection.facts.codecTag == tag && inspection.facts.parameterSets == .frames)
    let finding = try #require(Self.findings(inspection, "codec-tag").first)
    #expect(finding.severity == .error)
    #expect(finding.repair != .lossless)
    #expect(Recipe(copying: inspection.facts, for: [.nowPlaying], mending: [.lossless]) == nil)
  }

  @Test("parameter sets in the header are no finding")
  func setsInHeader() throws {
    let clip = try MadeClip(
      ["-f", "lavfi", "-i", "testsrc2=s=96x96:r=30:d=1"] + Self.h264)
    let inspection = try Self.inspection(clip)
    #expect(inspection.facts.parameterSets == .header)
    #expect(Self.findings(inspection, "codec-tag").isEmpty)
  }

  // MARK: - Pictures

  @Test("the aspect byte of a GIF is not read, as in browsers")
  func aspectByte() throws {
    let clip = try MadeClip(
      named: "a.gif", ["-f", "lavfi", "-i", "testsrc2=s=80x80:r=10:d=0.5"])
    var bytes = try Data(contentsOf: clip.folder.url("a.gif"))
    // 0.75 (GIF89a, 18: (value + 15) / 64).
    bytes[12] = 33
    try bytes.write(to: clip.folder.url("a.gif"))
    let facts = try Self.inspection(clip).facts
    #expect(facts.displayWidth == 80 && facts.displayHeight == 80)
    #expect(facts.sampleAspect == .one)
  }

  @Test("a 16-bit APNG that FFmpeg does not compose is not called truncated")
  func deepAPNG() throws {
    let clip = try MadeClip(
      named: "a.apng",
      ["-f", "lavfi", "-i", "testsrc2=s=32x32:r=10:d=0.5", "-pix_fmt", "rgba64be", "-f", "apng"])
    do throws(InspectionError) {
      let facts = try Inspector().inspect(clip.path).inspection.facts
      // A newer FFmpeg does.
      #expect(facts.frameCount == 5)
    } catch {
      #expect(error.code == .unsupportedCodec && error.message.contains("16 bits"))
    }
  }

  @Test("VP9 with transparency is seen, and its preview shows it")
  func transparency() throws {
    let clip = try MadeClip(
      named: "a.webm",
      [
        "-f", "lavfi", "-i", "color=red@0.5:s=64x64:r=10:d=0.5,format=yuva420p", "-c:v",
        "libvpx-vp9", "-pix_fmt", "yuva420p",
      ])
    let facts = try Self.inspection(clip).facts
    #expect(facts.hasAlpha && facts.pixelFormat == "yuva420p")
    #expect(Recipe(copying: facts, for: [.nowPlaying], mending: [.lossless]) == nil)
  }

  @Test("transparency in a track of its own, as in AVIF sequences, is said")
  func alphaTrack() throws {
    let clip = try MadeClip(
      ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=10:d=0.5", "-map", "0:v", "-map", "0:v"] + Self.h264
    )
    #expect(try Self.inspection(clip).facts.hasUnreadAlpha == nil)
    // The handler of the second track; each track has one, and so may the movie.
    var bytes = try Data(contentsOf: clip.folder.url(clip.name))
    let place = try #require(bytes.range(of: Data("vide".utf8), options: .backwards))
    bytes.replaceSubrange(place, with: Data("auxv".utf8))
    try bytes.write(to: clip.folder.url(clip.name))
    let inspection = try Self.inspection(clip)
    #expect(inspection.facts.hasUnreadAlpha == true)
    #expect(Self.findings(inspection, "color").contains { $0.message.contains("transparency") })
  }

  @Test("a container that states other colours than the bitstream is a finding")
  func colours() throws {
    let bt709 = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]
    let clip = try MadeClip(
      named: "s.mp4", ["-f", "lavfi", "-i", "testsrc2=s=96x96:r=30:d=1"] + Self.h264 + bt709)
    let made = try run(
      "ffmpeg",
      [
        "-v", "error", "-i", "s.mp4", "-c", "copy", "-colorspace", "smpte170m",
        "-color_primaries", "smpte170m", "-color_trc", "smpte170m", "-movflags", "write_colr",
        "o.mp4",
      ], in: clip.folder.root)
    #expect(made.status == 0)
    #expect(try Self.inspection(clip).facts.containerColor == nil)
    let inspection = try Self.inspection(clip, "o.mp4")
    #expect(inspection.facts.color.matrix == "bt709")
    #expect(inspection.facts.containerColor?.matrix == "smpte170m")
    #expect(Self.findings(inspection, "color").map(\.severity) == [.warning])
  }
}
