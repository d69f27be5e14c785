@testable import ArtworkJudging
@testable import ArtworkMeasuring
@testable import ArtworkModel
@testable import ArtworkPipeline

@Suite struct ReleaseRuleTests {
  /// Cells of light and dark squares with some colour; `phase` moves them.
  static func signature(phase: Int = 0, tint: Int = 0) -> PictureSignature {
    let side = PictureSignature.side
    let cells = (0..<side * side).flatMap { place -> [UInt8] in
      let (x, y) = (place % side, place / side)
      let isLight = ((x + phase) / 5 + y / 7) % 2 == 0
      let tone = isLight ? 200 : 60
      return [tone, tone - 30 + tint, tone - 40 - tint / 2].map { UInt8(clamping: $0) }
    }
    return PictureSignature(cells: cells)
  }

  static func video(
    _ key: ArtworkKey, seconds: Double = 10, rate: Int64 = 30,
    frame: PictureSignature? = nil, missing: Int = 0
  ) -> Release.Video {
    // The middle of the square.
    let crop = CropArea(x: 30, y: 0, width: 180, height: 240)
    let own = key == .square ? signature() : signature().part(crop, of: PixelSize(width: 240, height: 240))
    var inspection = Inspection.sample(
      facts: .sample {
        $0.durationSeconds = seconds
        $0.setRate(rate, 1)
        if key == .tall { $0.setDisplay(810, 1080) }
      }, missing: missing)
    inspection.firstFrame = frame ?? own
    var video = Release.Video(candidate: 0, key: key)
    (video.path, video.inspection) = (FilePath("id/\(key.rawValue).mp4"), inspection)
    return video
  }

  static func findings(
    _ videos: [Release.Video], isWhole: Bool = true, isFromManifest: Bool = false,
    cover: SuppliedPicture? = nil, profile: Profile = .nowPlaying
  ) -> [String] {
    var release = Release(
      name: .init(folder: isFromManifest ? nil : "/", artworkID: "id"), isWhole: isWhole,
      keys: Set(videos.compactMap(\.key)), videos: videos)
    release.coverPicture = cover
    return Rules.judge(release, profile: profile).map {
      "\(videos[$0.video].key?.rawValue ?? "") \($0.finding.severity) \($0.finding.message)"
    }
  }

  @Test func `matching square and tall variants are a pair`() {
    // The square is the middle of the tall frame: three quarters of its rows.
    let side = PictureSignature.side
    let tall = Self.signature()
    var middle: [UInt8] = []
    for row in 0..<side {
      let source = side / 8 + row * 3 / 4
      middle += tall.cells[source * side * 3..<(source + 1) * side * 3]
    }
    #expect(
      Self.findings([Self.video(.square, frame: PictureSignature(cells: middle)), Self.video(.tall, frame: tall)]).isEmpty)
    #expect(Self.findings([Self.video(.square), Self.video(.tall, seconds: 10.03)]).isEmpty)
  }

  @Test func `the whole square inside the tall frame is reported, unlike a part of it, and an error for Apple`() throws {
    let side = PictureSignature.side
    let square = Self.signature()
    // Its rows in the middle three quarters, and a dark ground around them.
    var cells: [UInt8] = []
    for row in 0..<side {
      let source = (row - side / 8) * 4 / 3
      cells += (0..<3 * side).map { (0..<side).contains(source) && row >= side / 8 ? square.cells[source * side * 3 + $0] : 20 }
    }
    func found(
      _ outline: Double, surroundings: Double = 0.1, mirroring: Double = 0, in square: PictureSignature = square,
      tall: [UInt8], profile: Profile = .nowPlaying
    ) -> [String] {
      var video = Self.video(.tall, frame: PictureSignature(cells: tall))
      video.inspection?.looks = AppearanceMeasurement(
        scope: .everyFrame,
        firstFrame: FirstFrame(content: PictureContent(spread: 120), largest: PictureContent(spread: 140), luma: 90),
        inset: Inset(left: 0, side: 1, top: 0.125, outline: outline, surroundings: surroundings, mirroring: mirroring))
      return Self.findings([Self.video(.square, frame: square), video], profile: profile).filter { $0.contains("around it") }
    }
    #expect(
      found(0.9, tall: cells) == [
        "3x4 warning the tall variant is the square cover with a blurred or plain background around it"
      ])
    #expect(found(0.9, tall: cells, profile: .appleAlbumMotion).first?.hasPrefix("3x4 error") == true)
    #expect(found(0.2, tall: cells).isEmpty && found(0.9, surroundings: 0.9, tall: cells).isEmpty)
    #expect(found(0.9, tall: Self.signature(phase: 2).cells).isEmpty)
    // A crop of smooth light is like all of it in its middle, and is no inset.
    let smooth = PictureSignature(
      cells: (0..<side * side).flatMap { place -> [UInt8] in
        let light = UInt8(clamping: 40 + 4 * abs((place / side + side / 6) % side - side / 2))
        return [light, light, light]
      })
    #expect(found(0, mirroring: 1, in: smooth, tall: smooth.cells).isEmpty)
  }

  @Test func `a missing variant is reported if the whole folder was searched`() {
    #expect(Self.findings([Self.video(.square)]) == ["1x1 warning the release has no 3x4 variant"])
    #expect(Self.findings([Self.video(.tall)], profile: .appleAlbumMotion) == ["3x4 error the release has no 1x1 variant"])
    #expect(Self.findings([Self.video(.square)], isWhole: false).isEmpty)
    #expect(Self.findings([Self.video(.square)], profile: .spotifyCanvas).isEmpty)
  }

  @Test func `length, rate and picture have to match; a truncated video is not compared`() {
    let square = Self.video(.square)
    #expect(Self.findings([square, Self.video(.tall, seconds: 11)]) == ["3x4 warning 1x1 and 3x4 have different lengths"])
    #expect(Self.findings([square, Self.video(.tall, seconds: 5, missing: 150)]).isEmpty)
    #expect(Self.findings([square, Self.video(.tall, rate: 25)]) == ["3x4 warning 1x1 and 3x4 have different frame rates"])
    let other = PictureSignature(cells: Self.signature().cells.reversed())
    #expect(
      Self.findings([square, Self.video(.tall, frame: other)]) == ["3x4 warning 1x1 and 3x4 begin with different pictures"])
    // Another rule reports frames of one colour.
    let plain = PictureSignature(cells: Self.signature().cells.map { _ in 16 })
    #expect(Self.findings([square, Self.video(.tall, frame: plain)]).isEmpty)
  }

  @Test("the first frame is compared with the cover, and an unreadable cover is reported once")
  func cover() {
    func cover(_ signature: PictureSignature) -> SuppliedPicture {
      SuppliedPicture(name: "cover.jpg", picture: StillPicture(format: "jpeg", width: 600, height: 600, signature: signature))
    }
    let videos = [Self.video(.square), Self.video(.tall)]
    #expect(Self.findings([videos[0]], isWhole: false, cover: cover(Self.signature())).isEmpty)
    let other = PictureSignature(cells: Self.signature().cells.reversed())
    #expect(
      Self.findings([videos[0]], isWhole: false, cover: cover(other)) == [
        "1x1 warning the first frame does not resemble the cover cover.jpg"
      ])
    let broken = SuppliedPicture(name: "cover.jpg", error: InspectionError(.decodeFailed, "the picture is damaged"))
    #expect(Self.findings(videos, cover: broken) == ["1x1 warning the cover cover.jpg cannot be read: the picture is damaged"])
  }

  @Test func `an ID with two videos, and a video with two IDs`() {
    var reused = Self.video(.square)
    reused.contradicts = "elsewhere/id/1x1.mp4"
    #expect(Self.findings([reused], isWhole: false).map { $0.split(separator: " ")[1] } == ["warning"])
    #expect(
      Self.findings([reused], isWhole: false, isFromManifest: true) == [
        "1x1 error the artworkID id also names a different video: elsewhere/id/1x1.mp4"
      ])
    var copy = Self.video(.square)
    copy.repeats = Release.Repetition(path: "other/1x1.mp4", artworkID: "other")
    #expect(
      Self.findings([copy], isWhole: false) == [
        "1x1 warning an identical video has a different artworkID: other (other/1x1.mp4)"
      ])
  }

  @Test func `likeness is 1 for the same picture, symmetric, and low for its negative`() {
    func of(_ one: PictureSignature, _ other: PictureSignature) -> Double {
      PictureLikeness.of(one, aspect: 1, other, aspect: 1)
    }
    let picture = Self.signature()
    #expect(of(picture, picture) > 0.99)
    let moved = Self.signature(phase: 1, tint: 20)
    #expect(abs(of(picture, moved) - of(moved, picture)) < 1e-6)
    #expect(of(picture, moved) > 0.5 && of(picture, moved) < 0.95)
    #expect(of(picture, PictureSignature(cells: picture.cells.map { 255 - $0 })) < 0.4)
  }
}
