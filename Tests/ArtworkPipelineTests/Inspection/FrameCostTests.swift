@testable import ArtworkMedia

/// The number of packets that a verdict requires: those of the GOPs that contain the examined frames, each once.
@Suite struct FrameCostTests {
  static func inspect(_ path: FilePath, _ request: InspectionRequest = InspectionRequest()) throws -> (
    verdict: SeamJudgement.Verdict?, effort: Inspection.DecodingEffort
  ) {
    let seen = try Inspector().inspect(Candidate(path: path), request).inspection
    return (Rules.seam(of: seen, profile: .nowPlaying)?.verdict, seen.decoding)
  }

  /// Clips of 200 frames, drawn so that each requires another test of the measurement.
  enum Scene: String, CaseIterable {
    case moving = "testsrc2=s=64x64:r=30"
    case still = "color=gray:s=64x64:r=30,drawgrid=w=16:h=16:c=white"
    case rest = "testsrc2=s=64x64:r=30:d=4,tpad=stop=80:stop_mode=clone"
    case fade = "testsrc2=s=64x64:r=30,fade=out:180:20"
    case flash = "color=gray:s=64x64:r=30,drawgrid=w=16:h=16:c=white,eq=brightness='0.1*lt(mod(n,40),3)':eval=frame"
    case dim = "testsrc2=s=64x64:r=30,eq=contrast=0.1"
    case noisyRest = "testsrc2=s=64x64:r=30:d=6,tpad=stop=20:stop_mode=clone,noise=alls=4:allf=t"
    case noisyTwos = "testsrc2=s=64x64:r=15,fps=30,noise=alls=4:allf=t"

    /// So noisy that the packet sizes do not reveal repeats.
    var isNoisy: Bool { self == .noisyRest || self == .noisyTwos }

    func clip(group: Int, bFrames: Int = 0) throws -> MadeClip {
      try MadeClip([
        "-f", "lavfi", "-i", rawValue, "-frames:v", "200", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "veryfast",
        "-crf", "\(isNoisy ? 10 : 20)", "-sc_threshold", "0", "-g", "\(group)", "-bf", "\(bFrames)",
      ])
    }
  }

  @Test(
    "a seamless clip of one group of pictures is decoded once, any other once more, since its verdict takes all frames; and it is the right one",
    arguments: Nightly.isOn ? Scene.allCases : [.moving, .still, .flash, .noisyRest], Nightly.isOn ? [0, 3] : [3])
  func oneGroup(scene: Scene, bFrames: Int) throws {
    let clip = try scene.clip(group: 9999, bFrames: bFrames)
    #expect(try PacketTableTests.scanned(clip.path, withoutData: false).packets.count { $0.isKey } == 1)
    let thorough = try Self.inspect(clip.path, InspectionRequest(everyFrame: true)).verdict
    for request in [InspectionRequest(), InspectionRequest(settlesDoubts: true), InspectionRequest(reportImages: true)] {
      let (verdict, effort) = try Self.inspect(clip.path, request)
      #expect(verdict == thorough)
      #expect(effort.packetsDecoded <= (verdict == .seamless && scene != .flash ? 200 : 400))
      #expect(effort.fallback == nil)
    }
  }

  @Test(arguments: Scene.allCases)
  func `of a clip of many groups, those at the ends and those that hold what is asked for`(scene: Scene) throws {
    let clip = try scene.clip(group: 20)
    let (verdict, effort) = try Self.inspect(clip.path)
    #expect(effort.fallback == nil)
    // Eight frames at the start, the last group, whose end is the clip's, and four windows of four frames inside.
    let ends = 8 + 20 + 16
    let most = verdict == .seamless && scene != .flash ? 200 : ends + 200
    #expect(effort.packetsDecoded <= most)
    let thorough = try Self.inspect(clip.path, InspectionRequest(everyFrame: true))
    #expect(thorough.effort.packetsDecoded == 200)
    #expect(thorough.verdict == verdict)
  }

  @Test(arguments: Nightly.some(16, of: Fixture.decodable.filter { $0.facts.keyPackets == 1 }))
  func `no seamless fixture of one group decodes a packet twice, and no other more than that`(fixture: Fixture) throws {
    let packets = try #require(fixture.facts.packets)
    let (verdict, effort) = try Self.inspect(fixture.path, InspectionRequest(settlesDoubts: true))
    // A full decode follows a fast one only for input that ffmpeg complains about, for packets with palettes, and for
    // times that contradict the order of frames.
    let isDoubtful =
      fixture.facts.decodeErrorLines != 0 || ["codec-palette.mov", "edit-decoding-order.mp4"].contains(fixture.file)
    #expect((effort.fallback != nil) == isDoubtful, "\(effort.fallback?.rawValue ?? "none")")
    #expect(effort.packetsDecoded <= (isDoubtful || verdict != .seamless ? 2 : 1) * packets)
  }
}
