/// Limits of Apple's guides and of a distributor's page, with samples on both sides of each.
@Suite struct DeliveryLimitTests {
  private static func judged(_ profile: Profile, _ rule: String, _ change: (inout MediaFacts) -> Void) -> [Finding] {
    let facts = MediaFacts.sample {
      DeliveryRuleTests.master(&$0)
      change(&$0)
    }
    return Rules.judge(.sample(facts: facts), key: .square, profile: profile).findings.filter { $0.rule == rule }
  }

  private static func prores(_ profile: String) -> (inout MediaFacts) -> Void {
    { ($0.codec, $0.profile, $0.codecTag, $0.container) = ("prores", profile, "apcn", "mov") }
  }

  @Test(
    arguments: [
      ((24_000, 1001), true, true), ((24, 1), true, true), ((25, 1), true, true), ((30_000, 1001), true, true),
      ((30, 1), true, true), ((50, 1), false, true), ((60, 1), false, true),
      // How some programs write 23.976 and 29.97.
      ((2398, 100), true, true), ((2997, 100), true, true), ((60_000, 1001), false, false), ((48, 1), false, false),
      ((28, 1), false, false), ((24_010, 1000), false, false), ((23_990, 1000), false, false), ((12, 1), false, false),
    ] as [((Int64, Int64), Bool, Bool)])
  func `a distributor lists five rates, and artist motion two more`(rate: (Int64, Int64), distributor: Bool, artist: Bool) {
    for (profile, isTaken) in [(Profile.appleMotionDistributor, distributor), (.appleArtistMotion, artist)] {
      let found = Self.judged(profile, "frame-rate") { $0.setRate(rate.0, rate.1) }
      #expect(found.map(\.severity) == (isTaken ? [] : [.error]), "\(profile.name)")
    }
    #expect(Self.judged(.appleAlbumMotion, "frame-rate") { $0.setRate(rate.0, rate.1) }.isEmpty)
  }

  @Test func `the finding states the rates`() {
    let found = Self.judged(.appleArtistMotion, "frame-rate") { $0.setRate(48, 1) }
    #expect(found.first?.limit == "23.976, 24, 25, 29.97, 30, 50 or 60 fps")
    #expect(found.first?.measured == "48 fps")
  }

  @Test(
    arguments: [
      ((12, 1), (24, 1)), ((15, 1), (30, 1)), ((48, 1), (24, 1)), ((50, 1), (25, 1)), ((60_000, 1001), (30_000, 1001)),
      ((28, 1), (30_000, 1001)), ((20, 1), nil), ((120, 1), (30, 1)), ((47, 1), (30, 1)),
    ] as [((Int64, Int64), (Int64, Int64)?)])
  func `a repair makes a listed rate: a multiple, a part, or the next one`(rate: (Int64, Int64), repaired: (Int64, Int64)?) {
    let found = Self.judged(.appleMotionDistributor, "frame-rate") { $0.setRate(rate.0, rate.1) }
    #expect(found.count == 1)
    #expect(found.first?.edit?.rate == repaired.flatMap { Rational($0.0, $0.1) })
  }

  @Test func `a variable rate becomes a listed one`() {
    var profile = Profile.nowPlaying
    profile.frameRates = [Rational(25), Rational(50)]
    let facts = MediaFacts.sample {
      $0.setRate(29, 1)
      $0.frameRateMode = .variable
    }
    let found = Rules.judge(.sample(facts: facts), key: .square, profile: profile).findings
    #expect(found.first { $0.rule == "frame-rate" }?.edit?.rate == Rational(50))
    #expect(found.first { $0.rule == "frame-rate-mode" }?.edit?.rate == Rational(50))
  }

  @Test func `a distributor takes 45 to 100 Mbit/s`() {
    // 15 s of 45 Mbit/s are 84.375 MB, of 100 Mbit/s 187.5 MB.
    func found(_ bytes: Int64) -> Finding? { Self.judged(.appleMotionDistributor, "bitrate") { $0.fileBytes = bytes }.first }
    #expect(found(84_375_000) == nil && found(187_500_000) == nil)
    let low = found(84_374_999)
    #expect(low?.severity == .warning && low?.message == "the bit rate is too low")
    #expect(low?.limit == "45 to 100 Mbit/s" && low?.repair == nil)
    #expect(low?.help.contains("at least 45 Mbit/s") == true)
    let high = found(187_500_001)
    #expect(high?.message == "the bit rate is too high" && high?.repair == .unsafe)
    #expect(Self.judged(.appleAlbumMotion, "bitrate") { $0.fileBytes = 1000 }.isEmpty)
    var profile = Profile.web
    (profile.minBitRate, profile.maxBitRate) = (1_500_000, nil)
    let least = Self.judged(profile, "bitrate") { $0.fileBytes = 1000 }
    #expect(least.first?.limit == "at least 1.5 Mbit/s")
  }

  @Test func `a distributor takes H.264 in MP4 alone, Apple ProRes 4444 and QuickTime as well`() {
    #expect(Self.judged(.appleMotionDistributor, "codec") { _ in }.isEmpty)
    #expect(Self.judged(.appleMotionDistributor, "container") { _ in }.isEmpty)
    let quickTime = Self.judged(.appleMotionDistributor, "container") { $0.container = "mov" }
    #expect(quickTime.map(\.severity) == [.error] && quickTime.first?.repair == .lossless)
    #expect(Self.judged(.appleMotionDistributor, "codec", Self.prores("4444")).first?.message == "only H.264 is accepted")
    #expect(Self.judged(.appleAlbumMotion, "codec", Self.prores("4444")).isEmpty)
    #expect(Self.judged(.appleAlbumMotion, "codec", Self.prores("HQ")).map(\.severity) == [.error])
    #expect(
      Self.judged(.appleAlbumMotion, "codec", Self.prores("Standard")).first?.message
        == "only H.264 or ProRes 4444 are accepted")
  }

  @Test(
    "artist motion takes four profiles of ProRes",
    arguments: [("4444", true), ("Standard", true), ("HQ", true), ("LT", true), ("Proxy", false), ("XQ", false)])
  func prores(profile: String, isTaken: Bool) {
    let found = Self.judged(.appleArtistMotion, "codec", Self.prores(profile))
    #expect(found.map(\.severity) == (isTaken ? [] : [.error]))
    for finding in found {
      #expect(finding.message == "only ProRes 4444, ProRes 422, ProRes 422 HQ or ProRes 422 LT are accepted")
    }
  }

  @Test func `artist motion is Rec. 709 or sRGB, without sound`() {
    func color(_ primaries: String, _ transfer: String) -> [Finding.Severity] {
      Self.judged(.appleArtistMotion, "color") {
        $0.color = ColorDescription(matrix: "bt709", primaries: primaries, transfer: transfer)
      }.map(\.severity)
    }
    #expect(color("bt709", "bt709").isEmpty && color("bt709", "iec61966-2-1").isEmpty)
    #expect(color("smpte432", "bt709") == [.error])
    #expect(Self.judged(.appleArtistMotion, "audio-track") { $0.hasAudio = true }.map(\.severity) == [.error])
  }

  @Test func `the three deliveries name the pages that they are from`() {
    for (profile, page) in [
      (Profile.appleAlbumMotion, "https://help.apple.com/itc/albummotionguide"),
      (.appleArtistMotion, "https://help.apple.com/itc/artistmotionguide"),
      (.appleMotionDistributor, "https://help.labelgrid.com/en/platforms/apple-music-motion-art"),
    ] {
      #expect(profile.sources.first?.address == page)
      #expect(!profile.sources.contains { $0.text.contains("second-hand") })
    }
  }
}
