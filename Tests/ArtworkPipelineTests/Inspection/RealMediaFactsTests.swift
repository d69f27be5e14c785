/// The same for real files from public test suites: every difference from ffprobe is listed here with
/// its reason.
@Suite(.enabled(if: RealMedia.isPresent, RealMedia.absence)) struct RealMediaFactsTests {
  typealias Explained = MediaFactsTests.Explained

  static let explained: [String: Explained] = [
    "androidx+media/8k24fps_300ms.mp4": Explained(
      why: "the mean counts a shorter last frame; the steps are even", rate: 90000 / 3749.0),
    "androidx+media/bbb_642x642_768kbps_30fps_vp9.webm": Explained(
      why: "no stream duration; the container's leaves the last frame out", duration: 3),
    "androidx+media/bear-vp9-odd-dimensions.webm": Explained(why: "no stream duration", duration: 1.001),
    "androidx+media/bt601.mov": Explained(why: "the mean counts a longer last frame; the steps are even", rate: 30000 / 1001.0),
    "androidx+media/hdr10-video-with-sdr-container.mp4": Explained(why: "frames are missing", mode: .variable),
    "androidx+media/long_4k_av1.mp4": Explained(why: "the reference decode did not finish", frames: 21766),
    "androidx+media/portrait_4k60.mp4": Explained(why: "a phone's jitter about 60", rate: 60),
    "androidx+media/roadtrip-vp92-10bit.webm": Explained(why: "no stream duration", duration: 3.002),
    "androidx+media/sample_android_slow_motion.mp4": Explained(why: "frames are missing", mode: .variable),
    "androidx+media/sample_edit_list_no_sync_frame_before_edit.mp4": Explained(
      why: "17 frames before the edit cannot be decoded; players disagree about the rest", rate: 68 / 2.335, mode: .variable),
    "androidx+media/sample_empty_track.mp4": Explained(
      why: "the last frame has no duration in the table; its packet says 3003 of 90000", duration: 90089 / 90000.0,
      rate: 30000 / 1001.0), "androidx+media/sample_fragmented.mp4": Explained(why: "declares 143165 s", duration: 1.001),
    "androidx+media/sample_fragmented_seekable.mp4": Explained(
      why: "declares the time before the first frame too", duration: 1.001),
    "androidx+media/sample_sef_slow_motion.mp4": Explained(
      why: "the last frame has no duration in the table; the steps are even", rate: 30),
    "androidx+media/sample_with_chapters.mp4": Explained(
      why: "steps of 3002 to 3004 ticks are 30000/1001 rounded; the mean counts the last one", rate: 30000 / 1001.0),
    "androidx+media/sample_with_fake_auxiliary_tracks.mp4": Explained(
      why: "all times are equal: nobody can tell a rate", duration: 0.04),
    "androidx+media/sample_with_invalid_nalu.mp4": Explained(
      why: "one damaged frame leaves a gap", rate: 29 / 1.001, mode: .variable),
    "larksuite+rsmpeg/centaur.mpg": Explained(
      why: "a raw stream: some times are missing, the rest is guessed", duration: 14.014, rate: 419 / 14.014, mode: .variable),
    "larksuite+rsmpeg/vp8.mp4": Explained(
      why: "no stream duration; VP8 itself says BT.601", duration: 17.6, profile: .some(nil),
      color: ColorDescription(matrix: "bt470bg", range: "tv")),
    "pytorch+torchcodec/av1_video.mkv": Explained(why: "no stream duration", duration: 5),
  ]

  static let unreadable: [String: InspectionError.Code] = [
    "androidx+media/long_180p_av1.mp4": .tooManyFrames, "androidx+media/long_4k_av1.mp4": .tooManyFrames,
    "androidx+media/sample_audio_only.mp4": .noVideo, "androidx+media/sample_fragmented_clearkey.mp4": .unsupportedCodec,
    "androidx+media/sample_malformed_free_box.mp4": .notAMovie, "androidx+media/sample_vvc.mp4": .unsupportedCodec,
    "androidx+media/invalid-bitstream.webm": .decodeFailed, "wader+fq/fragmented.mp4": .decodeFailed,
    "wader+fq/heic.mp4": .notAMovie, "wader+fq/unknown_size.mkv": .noVideo,
  ]

  @Test(arguments: Nightly.some(12, of: RealMedia.all.filter { unreadable[$0.name] == nil }))
  func `facts are what ffprobe prints, or differ for a known reason`(media: RealMedia) throws {
    let facts = try Inspector().inspect(media.path).inspection.facts
    let explained = Self.explained[media.name] ?? Explained(why: "")
    let probe = try #require(Probe(media))
    if media.name.contains("sample_with_fake_auxiliary_tracks") {
      #expect(facts.frameRate == nil)
      #expect(facts.maxFrameRate == nil)
      var timeless = probe
      timeless.averageRate = nil
      try MediaFactsTests.expect(facts, like: timeless, explained: explained)
    } else {
      try MediaFactsTests.expect(facts, like: probe, explained: explained)
    }
    #expect([facts.displayWidth, facts.displayHeight] == media.facts.display_size)
  }

  @Test(arguments: RealMedia.all.filter { unreadable[$0.name] != nil })
  func `files that hold no decodable video are refused with a reason`(media: RealMedia) {
    #expect(refusal { try Inspector().inspect(media.path) }?.code == Self.unreadable[media.name])
  }

  @Test(.nightly)
  func `six minutes at 60 fps are inspected where the limit is raised`() throws {
    let media = try #require(RealMedia.all.first { $0.name.hasSuffix("long_180p_av1.mp4") })
    var limits = Limits()
    limits.frames = 30_000
    let facts = try Inspector(limits: limits).inspect(media.path).inspection.facts
    try MediaFactsTests.expect(facts, like: #require(Probe(media)), explained: Explained(why: ""))
  }

  @Test func `the lists name files that exist`() {
    #expect(Set(RealMedia.all.map(\.name)).isSuperset(of: Self.unreadable.keys))
  }

  @Test func `damage in the middle of a real file is counted`() throws {
    let media = try #require(RealMedia.all.first { $0.name.hasSuffix("sample_with_invalid_nalu.mp4") })
    let effort = try Inspector().inspect(media.path).inspection.decoding
    #expect(effort.fallback != nil)
    #expect(effort.packetsDecoded == 30)
    #expect(effort.errorCount == 1)
    #expect(effort.missingFrames == 1)
  }
}
