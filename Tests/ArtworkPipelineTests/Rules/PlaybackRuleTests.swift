@testable import ArtworkJudging
@testable import ArtworkMeasuring

@Suite struct PlaybackRuleTests {
  @Test(
    arguments: [
      ("h264", nil), ("hevc", nil), ("prores", .warning), ("av1", .warning), ("mpeg4", .warning), ("mjpeg", .warning),
      ("h263", .warning), ("vp9", .error), ("vp8", .error), ("gif", .error), ("apng", .error), ("png", .error),
      ("qtrle", .error), ("mpeg2video", .error), ("", .error),
    ] as [(String, Finding.Severity?)])
  func `codecs that always play, sometimes play and never play`(codec: String, severity: Finding.Severity?) {
    #expect(findings(CodecRule.self) { $0.codec = codec }.map(\.severity) == (severity.map { [$0] } ?? []))
  }

  @Test(
    arguments: [
      ("hevc", "hvc1", nil), ("hevc", "dvh1", nil), ("hevc", "hev1", .error), ("hevc", "dvhe", .error),
      ("hevc", "HVC1", .error), ("h264", "avc1", nil), ("h264", "dva1", nil), ("h264", "avc3", .warning),
      ("h264", "dvav", .warning), ("prores", "apcn", nil), ("hevc", nil, nil),
    ] as [(String, String?, Finding.Severity?)])
  func `HEVC plays as hvc1, H.264 as avc1`(codec: String, tag: String?, severity: Finding.Severity?) {
    for container in ["mp4", "mov", "3gp"] {
      let raised = findings(CodecTagRule.self) { ($0.container, $0.codec, $0.codecTag) = (container, codec, tag) }
      #expect(raised.map(\.severity) == (severity.map { [$0] } ?? []))
      #expect(raised.allSatisfy { $0.measured == tag && $0.help.contains("copy it with the tag") })
    }
    // Other containers have no sample entries.
    let other = findings(CodecTagRule.self) { ($0.container, $0.codec, $0.codecTag) = ("avi", codec, tag) }
    #expect(other.isEmpty)
  }

  @Test(arguments: [
    ("mp4", true), ("mov", true), ("3gp", true), ("webm", false), ("matroska", false), ("gif", false), ("apng", false),
    ("avif", false), ("avi", false), ("mpegts", false), ("", false),
  ])
  func `MP4 and QuickTime are video assets, nothing else is`(name: String, plays: Bool) {
    #expect(findings(ContainerRule.self) { $0.container = name }.map(\.severity) == (plays ? [] : [.error]))
  }

  @Test(arguments: [
    ("h264", "4:2:0", 8, true), ("h264", "4:2:0", 10, false), ("h264", "4:2:2", 8, false), ("h264", "4:4:4", 8, false),
    ("h264", "gray", 8, false), ("hevc", "4:2:0", 8, true), ("hevc", "4:2:0", 10, true), ("hevc", "4:2:0", 12, false),
    ("hevc", "4:2:2", 10, false), ("hevc", "rgb", 8, false), ("prores", "4:4:4", 12, true), ("av1", "4:2:0", 10, true),
  ])
  func `hardware decodes 8-bit 4:2:0, and 10-bit 4:2:0 of HEVC`(codec: String, chroma: String, depth: Int, plays: Bool) {
    let raised = findings(PixelFormatRule.self) {
      ($0.codec, $0.chroma, $0.bitDepth, $0.pixelFormat) = (codec, chroma, depth, "pix")
    }
    #expect(raised.map(\.severity) == (plays ? [] : [.error]))
    #expect(raised.allSatisfy { $0.measured == "pix (\(chroma), \(depth) bits)" })
  }

  @Test func `an audio track is info`() {
    #expect(findings(AudioTrackRule.self) { $0.hasAudio = true }.map(\.severity) == [.info])
    #expect(findings(AudioTrackRule.self).isEmpty)
  }

  @Test(
    arguments: [
      (ColorDescription(matrix: "bt709", primaries: "bt709", transfer: "bt709", range: "tv"), nil),
      (ColorDescription(matrix: "smpte170m", transfer: "smpte170m"), nil),
      (ColorDescription(matrix: "bt2020nc", primaries: "bt2020", transfer: "smpte2084"), .warning),
      (ColorDescription(matrix: "bt2020nc", primaries: "bt2020", transfer: "arib-std-b67"), .warning),
      (ColorDescription(matrix: "bt2020nc", primaries: "bt2020", transfer: "bt2020-10"), .info),
      (ColorDescription(matrix: "bt709", primaries: "smpte432", transfer: "bt709"), .info), (ColorDescription(), .info),
      (ColorDescription(primaries: "bt709", range: "tv"), .info),
    ] as [(ColorDescription, Finding.Severity?)])
  func `colours other than BT.709 have severities by their effect`(color: ColorDescription, severity: Finding.Severity?) {
    #expect(findings(ColorRule.self) { $0.color = color }.map(\.severity) == (severity.map { [$0] } ?? []))
  }

  @Test func `RGB needs no matrix`() {
    #expect(findings(ColorRule.self) { ($0.color, $0.chroma) = (ColorDescription(), "rgb") }.isEmpty)
  }

  @Test(
    arguments: [(0, 0, nil), (1, 0, "1 decoding error"), (0, 3, "300 of 303 frames"), (2, 3, "300 of 303 frames")]
      as [(Int, Int, String?)])
  func `missing frames and rejected packets are errors`(errors: Int, missing: Int, measured: String?) {
    let raised = findings(TruncatedRule.self, errors: errors, missing: missing)
    #expect(raised.map(\.measured) == (measured.map { [$0] } ?? []))
    #expect(raised.allSatisfy { $0.severity == .error })
  }
}
