@testable import ArtworkJudging

@Suite struct AspectRatioRuleTests {
  /// In ten thousandths of a width: 0.5 % fits, 2 % warns.
  @Test(
    "half a per cent fits, up to two per cent warn, more fail, in both directions",
    arguments: [
      (10000, nil), (10049, nil), (9951, nil), (10051, .warning), (9949, .warning), (10199, .warning), (9801, .warning),
      (10201, .error), (9799, .error), (17778, .error), (1, .error),
    ] as [(Int, Finding.Severity?)], [ArtworkKey.square, .tall])
  func tolerance(width: (share: Int, severity: Finding.Severity?), key: ArtworkKey) {
    let (share, severity) = width
    let raised = findings(AspectRatioRule.self, key: key) {
      key == .square ? $0.setDisplay(share, 10000) : $0.setDisplay(share * 3, 40000)
    }
    #expect(raised.map(\.severity) == (severity.map { [$0] } ?? []))
    if severity != nil { #expect(raised.first?.message.contains(share > 10000 ? "too wide" : "too tall") == true) }
  }

  @Test(
    arguments: [
      (2048, 2732, .tall, true), (1024, 1366, .tall, true), (1080, 1440, .tall, true), (3840, 3840, .square, true),
      (1, 1, .square, true), (1080, 1920, .tall, false), (1080, 1350, .tall, false), (1440, 1080, .tall, false),
      (1080, 1080, .tall, false), (1080, 1440, .square, false),
    ] as [(Int, Int, ArtworkKey, Bool)])
  func `common sizes`(width: Int, height: Int, key: ArtworkKey, fits: Bool) {
    #expect(findings(AspectRatioRule.self, key: key) { $0.setDisplay(width, height) }.isEmpty == fits)
  }

  @Test(
    "the suggested size fits, is even, and is not larger than the picture",
    arguments: [
      (1920, 1080, .square, "1080x1080"), (1921, 1081, .square, "1080x1080"), (1080, 1920, .tall, "1080x1440"),
      (1920, 1080, .tall, "810x1080"), (3, 1000, .square, "2x2"),
    ] as [(Int, Int, ArtworkKey, String)])
  func suggestion(width: Int, height: Int, key: ArtworkKey, size: String) {
    let raised = findings(AspectRatioRule.self, key: key) { $0.setDisplay(width, height) }
    #expect(raised.first?.help == "crop it to \(size), or export it in that shape")
  }

  @Test func `the displayed size counts, not the coded one`() {
    let raised = findings(AspectRatioRule.self) {
      ($0.codedWidth, $0.codedHeight) = (1080, 1080)
      $0.setDisplay(1440, 1080)
    }
    #expect(raised.map(\.severity) == [.error])
    #expect(raised.first?.measured == "1440x1080 (1.3333:1)")
    #expect(raised.first?.limit == "1:1 within 0.5 %")
  }
}
