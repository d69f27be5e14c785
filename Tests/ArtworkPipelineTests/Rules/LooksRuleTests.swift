@testable import ArtworkJudging
@testable import ArtworkMeasuring
@testable import ArtworkModel
@testable import ArtworkPipeline

@Suite struct LooksRuleTests {
  static func raised(
    _ rule: any Rule.Type, profile: Profile = .nowPlaying, rate: Int64 = 24, _ change: (inout AppearanceMeasurement) -> Void
  ) -> [Finding] {
    var looks = AppearanceMeasurement(
      scope: .everyFrame, flash: FlashMeasurement(), borders: nil,
      firstFrame: FirstFrame(content: PictureContent(spread: 120), largest: PictureContent(spread: 140), luma: 90))
    change(&looks)
    var inspection = Inspection.sample()
    inspection.looks = looks
    inspection.facts.setRate(rate, 1)
    return Rules.judge(inspection, key: .square, profile: profile).findings.filter { $0.rule == rule.id }
  }

  static func second(_ flashes: Double) -> FlashMeasurement.Second {
    FlashMeasurement.Second(flashes: flashes, startSeconds: 1.25, share: 0.4)
  }

  @Test func `three flashes pass, three and a half do not, general or red`() {
    let three = Self.raised(FlashRule.self) { $0.flash = FlashMeasurement(general: Self.second(3), red: Self.second(3)) }
    #expect(three.isEmpty)
    #expect(Self.raised(FlashRule.self) { $0.flash = nil }.isEmpty)
    let found = Self.raised(FlashRule.self) { $0.flash?.general = Self.second(3.5) }
    #expect(found.map(\.severity) == [.warning])
    #expect(found.first?.measured?.contains("40 %") == true)
    let red = Self.raised(FlashRule.self) { $0.flash = FlashMeasurement(general: Self.second(2), red: Self.second(5)) }
    #expect(red.first?.message.contains("5 red flashes") == true)
    #expect(red.first?.message.contains("1.25 s") == true)
    let broadcast = Self.raised(FlashRule.self) { $0.flash?.broadcast = Self.second(4) }
    #expect(broadcast.first?.measured?.contains("4 broadcast flashes") == true)
  }

  @Test func `the profile sets limit and severity`() {
    var strict = Profile.web
    strict.maxFlashes = 1
    let found = Self.raised(FlashRule.self, profile: strict) { $0.flash?.general = Self.second(2) }
    #expect(found.map(\.severity) == [.error])
    #expect(found.first?.limit == "at most 1 in any second")
  }

  @Test func `every frame is decoded if the ends change and change back, and flashes count`() {
    func isInDoubt(_ scope: SeamMeasurement.Scope, _ back: Double?, countsFlashes: Bool = true) -> Bool {
      let looks = AppearanceMeasurement(
        scope: scope, flash: FlashMeasurement(endChange: 1, endReturn: back),
        firstFrame: FirstFrame(content: PictureContent(spread: 120), largest: PictureContent(spread: 140), luma: 90))
      return Rules.wantEveryFrame(looks, countsFlashes: countsFlashes)
    }
    #expect(!isInDoubt(.ends, 0.25))
    #expect(isInDoubt(.ends, 0.26))
    #expect(!isInDoubt(.ends, nil))
    #expect(!isInDoubt(.everyFrame, 1))
    #expect(!isInDoubt(.ends, 1, countsFlashes: false))
  }

  @Test func `a blank first frame is reported if another frame shows a picture`() {
    func raised(_ spread: Double, _ largest: Double, luma: Double = 16, points: Double = 0, most: Double = 0) -> [Finding] {
      Self.raised(BlankFirstFrameRule.self) {
        $0.firstFrame = FirstFrame(
          content: PictureContent(spread: spread, points: points), largest: PictureContent(spread: largest, points: most),
          luma: luma, pictureSeconds: 0.5)
      }
    }
    let black = raised(0, 140)
    #expect(black.map(\.severity) == [.error])
    #expect(black.first?.message.contains("black") == true)
    #expect(black.first?.help.contains("0.5 s") == true)
    #expect(raised(0, 140, luma: 235).first?.message.contains("white") == true)
    #expect(raised(2, 140, luma: 90).first?.message.contains("one colour") == true)
    #expect(raised(6, 140).isEmpty)
    #expect(raised(0, 15).isEmpty)
    #expect(raised(5, 19).isEmpty)
    // Stars are a picture, as the first frame and as another one.
    #expect(raised(4, 140, points: 0.0004).isEmpty)
    #expect(raised(0, 4, most: 0.002).count == 1)
  }

  @Test func `every frame is decoded if the ends are blank`() {
    func isInDoubt(_ spread: Double, _ largest: Double, _ scope: SeamMeasurement.Scope) -> Bool {
      let looks = AppearanceMeasurement(
        scope: scope, flash: nil,
        firstFrame: FirstFrame(content: PictureContent(spread: spread), largest: PictureContent(spread: largest), luma: 16))
      return Rules.wantEveryFrame(looks, countsFlashes: false)
    }
    #expect(isInDoubt(0, 1, .ends))
    #expect(!isInDoubt(0, 1, .everyFrame))
    #expect(!isInDoubt(0, 100, .ends))
    #expect(!isInDoubt(30, 100, .ends))
  }

  static func side(_ depth: Int, level: Double = 16) -> Borders.Side {
    Borders.Side(depth: depth, straight: 0.95, early: 0, contrast: 60, texture: 30, hardness: 0.9, level: level)
  }

  static func letterbox(
    _ top: Int, _ bottom: Int, _ left: Int, _ right: Int, level: Double = 16, _ change: (inout Borders) -> Void = { _ in }
  ) -> [Finding] {
    var borders = Borders(
      top: side(top, level: level), bottom: side(bottom, level: level), left: side(left, level: level),
      right: side(right, level: level))
    change(&borders)
    return raised(LetterboxRule.self) { $0.borders = borders }
  }

  @Test func `bars above and below, or left and right, are reported with the remaining picture`() {
    let rows = Self.letterbox(236, 236, 0, 0)
    #expect(rows.map(\.severity) == [.warning])
    #expect(rows.first?.measured == "a 1080x608 picture in a 1080x1080 frame")
    #expect(rows.first?.message.contains("black bars") == true)
    let columns = Self.letterbox(0, 0, 135, 134, level: 120)
    #expect(columns.first?.measured == "a 811x1080 picture in a 1080x1080 frame")
    #expect(columns.first?.message.contains("one colour") == true)
    #expect(Self.raised(LetterboxRule.self) { $0.borders = nil }.isEmpty)
  }

  @Test func `other borders are not bars`() {
    #expect(Self.letterbox(0, 0, 0, 0).isEmpty)
    #expect(Self.letterbox(236, 0, 0, 0).isEmpty, "one side only")
    #expect(Self.letterbox(236, 100, 0, 0).isEmpty, "too uneven")
    #expect(Self.letterbox(8, 8, 0, 0).isEmpty, "too thin")
    #expect(Self.letterbox(236, 236, 0, 0) { $0.bottom.level = 40 }.isEmpty, "two colours")
    #expect(Self.letterbox(236, 236, 0, 0) { $0.top.straight = 0.4 }.isEmpty, "not straight")
    #expect(Self.letterbox(236, 236, 0, 0) { $0.top.hardness = 0.2 }.isEmpty, "a gradient")
    #expect(Self.letterbox(236, 236, 0, 0) { $0.top.early = 0.21 }.isEmpty, "something in it")
    #expect(Self.letterbox(236, 236, 0, 0) { $0.bottom.contrast = 5 }.isEmpty, "no edge")
    #expect(Self.letterbox(236, 236, 0, 0) { ($0.top.texture, $0.bottom.texture) = (1, 1) }.isEmpty, "plain bands")
  }

  @Test func `a border on all sides is design, unless it is black and much deeper in one direction`() {
    #expect(Self.letterbox(60, 60, 60, 60).isEmpty)
    #expect(Self.letterbox(100, 100, 60, 60).isEmpty)
    #expect(Self.letterbox(236, 236, 40, 40, level: 200).isEmpty)
    #expect(Self.letterbox(236, 236, 40, 40).first?.measured == "a 1000x608 picture in a 1080x1080 frame")
  }
}
