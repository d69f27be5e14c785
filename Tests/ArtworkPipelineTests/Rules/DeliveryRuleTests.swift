@testable import ArtworkJudging
@testable import ArtworkMeasuring

@Suite struct DeliveryRuleTests {
  /// Rule ids and severities of a sample after `change`.
  static func judged(_ profile: Profile, key: ArtworkKey = .square, _ change: (inout MediaFacts) -> Void = { _ in }) -> [String:
    Finding.Severity]
  {
    let findings = Rules.judge(.sample(facts: .sample(change)), key: key, profile: profile).findings
    return Dictionary(findings.map { ($0.rule, $0.severity) }, uniquingKeysWith: max)
  }

  /// Typical album motion masters.
  static func master(_ facts: inout MediaFacts) {
    facts.setDisplay(3840, 3840)
    (facts.codedWidth, facts.codedHeight) = (3840, 3840)
    facts.durationSeconds = 15
    // 53 Mbit/s.
    facts.fileBytes = 100_000_000
    facts.setRate(24000, 1001)
  }

  @Test func `a faultless sample passes every profile that suits it`() {
    #expect(Self.judged(.nowPlaying).isEmpty)
    #expect(Self.judged(.web).isEmpty)
    #expect(Self.judged(.appleAlbumMotion, Self.master).isEmpty)
    #expect(Self.judged(.appleMotionDistributor, Self.master).isEmpty)
    #expect(
      Self.judged(.spotifyCanvas) {
        $0.setDisplay(1080, 1920)
        ($0.codedWidth, $0.codedHeight) = (1080, 1920)
        $0.durationSeconds = 5
      }.isEmpty)
    #expect(
      Self.judged(.appleArtistMotion) {
        Self.master(&$0)
        ($0.codec, $0.profile, $0.codecTag, $0.container) = ("prores", "HQ", "apch", "mov")
        ($0.chroma, $0.bitDepth, $0.durationSeconds) = ("4:2:2", 10, 30)
      }.isEmpty)
  }

  @Test func `the profiles have the limits of their sources`() {
    #expect(
      Profile.all.map(\.name) == [
        "now-playing", "apple-album-motion", "apple-motion-distributor", "apple-artist-motion", "spotify-canvas", "web", "loop",
        "discord", "navidrome", "jellyfin",
      ])
    for (profile, least, most) in [
      (Profile.appleAlbumMotion, 8.0, 20.0), (.appleMotionDistributor, 8, 35), (.appleArtistMotion, 20, 75),
      (.spotifyCanvas, 3, 8),
    ] {
      #expect(profile.durationAtLeast == least && profile.durationAtMost == most)
      #expect(Self.judged(profile) { $0.durationSeconds = least - 0.2 }["duration"] == .error)
      #expect(Self.judged(profile) { $0.durationSeconds = most + 0.2 }["duration"] == .error)
      #expect(Self.judged(profile) { $0.durationSeconds = most }["duration"] == nil)
      #expect(Self.judged(profile) { $0.hasAudio = true }["audio-track"] != nil)
    }
    for profile in Profile.all { #expect(!profile.sources.isEmpty, "\(profile.name)") }
  }

  @Test func `a required size is exact, as displayed`() {
    #expect(Self.judged(.appleAlbumMotion, Self.master)["dimensions"] == nil)
    #expect(Self.judged(.appleAlbumMotion)["dimensions"] == .error)
    // The tall size is 2048x2732, which is not exactly 3:4.
    #expect(
      Self.judged(.appleAlbumMotion, key: .tall) {
        Self.master(&$0)
        $0.setDisplay(2048, 2732)
        ($0.codedWidth, $0.codedHeight) = (2048, 2732)
      }.isEmpty)
    #expect(
      Self.judged(.appleAlbumMotion, key: .tall) {
        Self.master(&$0)
        $0.setDisplay(2049, 2732)
      }["dimensions"] == .error)
  }

  @Test func `small pictures and odd sides of 4:2:0 are reported`() {
    func small(_ side: Int) -> Finding.Severity? {
      Self.judged(.nowPlaying) {
        $0.setDisplay(side, side)
        ($0.codedWidth, $0.codedHeight) = (side, side)
      }["dimensions"]
    }
    #expect(small(298) == .info)
    #expect(small(300) == nil)
    #expect(small(1081) == .warning)
    let odd = findings(DimensionsRule.self) { $0.codedWidth = 1079 }
    #expect(odd.map(\.measured) == ["1079x1080"])
    #expect(odd.first?.command == nil && odd.first?.help == "crop or scale it to even sides")
    #expect(findings(DimensionsRule.self) { ($0.codedWidth, $0.chroma) = (1079, "4:4:4") }.isEmpty)
  }

  @Test func `the nearest accepted shape counts`() {
    // 16:9 fits neither key, but artist motion accepts it.
    func wide(_ facts: inout MediaFacts) { facts.setDisplay(1920, 1080) }
    #expect(Self.judged(.nowPlaying, wide)["aspect-ratio"] == .error)
    #expect(Self.judged(.appleArtistMotion, wide)["aspect-ratio"] == nil)
    #expect(Self.judged(.spotifyCanvas)["aspect-ratio"] == .error)
    #expect(Self.judged(.spotifyCanvas, key: .tall) { $0.setDisplay(720, 1280) }["aspect-ratio"] == nil)
  }

  @Test func `the destination decides on codecs and containers`() {
    #expect(Self.judged(.web) { ($0.codec, $0.codecTag) = ("hevc", "hvc1") }["codec"] == .error)
    #expect(Self.judged(.spotifyCanvas) { $0.container = "mov" }["container"] == .error)
  }

  @Test func `file size, bit rate and pixel rate have exact limits if the profile sets them`() {
    func sized(_ bytes: Int64) -> Finding.Severity? {
      Self.judged(.appleMotionDistributor) { $0.fileBytes = bytes }["file-size"]
    }
    #expect(sized(400_000_000) == nil)
    #expect(sized(400_000_001) == .error)
    #expect(Self.judged(.nowPlaying) { $0.fileBytes = 4_000_000_000 }["file-size"] == nil)

    // 10 s of 20 Mbit/s are 25 MB.
    #expect(Self.judged(.web) { $0.fileBytes = 25_000_000 }["bitrate"] == nil)
    #expect(Self.judged(.web) { $0.fileBytes = 25_000_001 }["bitrate"] == .warning)

    func decoded(_ side: Int, _ rate: Int64) -> Finding.Severity? {
      Self.judged(.nowPlaying) {
        $0.setDisplay(side, side)
        ($0.codedWidth, $0.codedHeight) = (side, side)
        $0.setRate(rate, 1)
      }["decode-cost"]
    }
    #expect(decoded(3840, 60) == .warning)
    #expect(decoded(3840, 30) == nil)
    let finding = findings(DecodeCostRule.self) {
      ($0.codedWidth, $0.codedHeight) = (3840, 3840)
      $0.setRate(60, 1)
    }.first
    // 3840 * 3840 * 60.
    #expect(finding?.measured?.hasPrefix("885 Mpx/s") == true)
  }

  @Test func `where BT.709 is required, HDR is an error`() {
    /// For distributors, and for Now Playing.
    func stated(_ matrix: String?, _ primaries: String?, _ transfer: String?) -> [Finding.Severity?] {
      [Profile.appleMotionDistributor, .nowPlaying].map { profile in
        Self.judged(profile) { $0.color = ColorDescription(matrix: matrix, primaries: primaries, transfer: transfer) }["color"]
      }
    }
    #expect(stated("bt709", "bt709", "bt709") == [nil, nil])
    #expect(stated("bt709", "bt709", "iec61966-2-1") == [nil, nil])
    #expect(stated("smpte170m", "smpte170m", "bt709") == [.error, nil])
    #expect(stated("bt2020nc", "bt2020", "smpte2084") == [.error, .warning])
    #expect(stated("bt709", "smpte432", "bt709") == [.error, .info])
    #expect(stated(nil, nil, nil) == [.info, .info])
  }

  @Test func `web needs the header first and closed GOPs, local files do not`() {
    func web(_ change: (inout MediaFacts) -> Void) -> [String: Finding.Severity] { Self.judged(.web, change) }
    #expect(web { $0.movieHeaderFirst = false } == ["fast-start": .warning])
    #expect(web { $0.leadingFrameCount = 4 } == ["closed-gop": .warning])
    #expect(web { $0.leadingFrameCount = nil }.isEmpty)
    #expect(Self.judged(.nowPlaying) { ($0.movieHeaderFirst, $0.leadingFrameCount) = (false, 4) }.isEmpty)
  }

  @Test func `the severities of a profile replace those of rules, or turn rules off`() {
    var profile = Profile.nowPlaying
    profile.severities["audio-track"] = .error
    profile.severities["duration"] = .off
    #expect(Self.judged(profile) { ($0.hasAudio, $0.durationSeconds) = (true, 40) } == ["audio-track": .error])
  }

  @Test func `without limits, nothing is reported`() {
    var profile = Profile.nowPlaying
    (profile.maxFrameRate, profile.durationBelow, profile.smallestSide) = (nil, nil, nil)
    profile.maxPixelRate = nil
    let judged = Self.judged(profile) {
      $0.setRate(120, 1)
      $0.durationSeconds = 400
      $0.setDisplay(20, 20)
    }
    #expect(judged.isEmpty)
  }
}
