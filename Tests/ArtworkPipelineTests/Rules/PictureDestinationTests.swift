@Suite struct PictureDestinationTests {
  static let destinations: [Profile] = [.discord, .navidrome, .jellyfin]

  private static func judged(_ profile: Profile, _ container: String, _ change: (inout MediaFacts) -> Void = { _ in })
    -> [Finding]
  {
    let facts = MediaFacts.sample {
      let codec = container == "avif" ? "av1" : container
      ($0.container, $0.codec, $0.codecTag, $0.profile) = (container, codec, nil, nil)
      ($0.chroma, $0.pixelFormat, $0.movieHeaderFirst) = ("rgb", "rgba", nil)
      $0.color = ColorDescription()
      change(&$0)
    }
    return Rules.judge(.sample(facts: facts), key: .square, profile: profile).findings
  }

  @Test(arguments: [
    ("webp", [true, true, true]), ("gif", [true, true, true]), ("apng", [false, false, true]), ("avif", [true, false, false]),
  ])
  func `each takes its formats`(container: String, taken: [Bool]) {
    for (profile, isTaken) in zip(Self.destinations, taken) {
      let found = Self.judged(profile, container).map(\.rule)
      #expect(found == (isTaken ? [] : ["container", "codec"]), "\(profile.name)")
    }
  }

  @Test(arguments: ["mp4", "mov", "webm", "3gp"])
  func `none takes video, and none names AVFoundation`(container: String) {
    for profile in Self.destinations {
      let findings = Self.judged(profile, container) {
        ($0.codec, $0.codecTag, $0.movieHeaderFirst) = ("h264", "avc3", false)
        ($0.hasAudio, $0.chroma, $0.leadingFrameCount) = (true, "4:2:0", 3)
        $0.color = MediaFacts.sample().color
      }
      #expect(findings.map(\.rule) == ["container", "codec"], "\(profile.name)")
      #expect(findings.allSatisfy { $0.severity == .error && $0.repair == nil })
      for finding in findings {
        let words = finding.message + finding.help + (finding.limit ?? "")
        #expect(!words.contains("AVFoundation") && !words.contains(".mp4"), "\(words)")
      }
      #expect(findings.first?.message.hasPrefix("\(profile.player) does not show") == true)
      #expect(findings.first?.help.contains("artworkd export FILE -o cover.webp") == true)
    }
    #expect(Self.judged(.navidrome, "mp4").first?.message.hasSuffix("an MP4 movie as a moving cover") == true)
    #expect(Self.judged(.navidrome, "mp4").first?.limit == "webp or gif")
  }

  @Test func `Discord takes 10 MB, the others any size`() {
    func found(_ profile: Profile, _ bytes: Int64) -> Finding? { Self.judged(profile, "webp") { $0.fileBytes = bytes }.first }
    #expect(found(.discord, 10_000_000) == nil)
    let large = found(.discord, 10_000_001)
    #expect(large?.rule == "file-size" && large?.severity == .error)
    #expect(large?.help.contains("--max-bytes 10000000") == true)
    #expect(found(.navidrome, 500_000_000) == nil && found(.jellyfin, 500_000_000) == nil)
  }

  @Test func `a shape is a warning, and irregular times are none`() {
    for profile in Self.destinations {
      let tall = Self.judged(profile, "webp") { $0.setDisplay(1080, 1440) }
      #expect(tall.map(\.rule) == ["aspect-ratio"] && tall.first?.severity == .warning)
      #expect(Self.judged(profile, "gif") { $0.frameRateMode = .variable }.isEmpty)
    }
  }
}
