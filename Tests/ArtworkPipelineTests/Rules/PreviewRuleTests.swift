@Suite struct PreviewRuleTests {
  static func findings(_ preview: SuppliedPicture, key: ArtworkKey = .square) -> [String: Finding.Severity] {
    var inspection = Inspection.sample()
    inspection.firstFrame = ReleaseRuleTests.signature()
    let found = Rules.judge(inspection, key: key, suppliedPreview: preview, profile: .nowPlaying).findings.filter {
      $0.rule.hasPrefix("preview")
    }
    return Dictionary(found.map { ($0.rule, $0.severity) }, uniquingKeysWith: max)
  }

  static func preview(_ width: Int, _ height: Int, _ signature: PictureSignature = ReleaseRuleTests.signature())
    -> SuppliedPicture
  { SuppliedPicture(name: "1x1.png", picture: StillPicture(format: "png", width: width, height: height, signature: signature)) }

  @Test func `a preview has the aspect ratio of its key at any size`() {
    #expect(Self.findings(Self.preview(300, 300)).isEmpty)
    #expect(Self.findings(Self.preview(1000, 1004)).isEmpty)
    #expect(Self.findings(Self.preview(1000, 1015)) == ["preview-aspect": .warning])
    #expect(Self.findings(Self.preview(1600, 900)) == ["preview-aspect": .error])
    #expect(Self.findings(Self.preview(300, 400), key: .tall).isEmpty)
  }

  @Test func `a preview matches the first frame, with a tolerance for compression`() {
    func shifted(_ by: Int) -> PictureSignature {
      PictureSignature(cells: ReleaseRuleTests.signature().cells.map { UInt8(clamping: Int($0) + by) })
    }
    #expect(Self.findings(Self.preview(300, 300, shifted(5))).isEmpty)
    #expect(Self.findings(Self.preview(300, 300, shifted(6))) == ["preview-match": .warning])
  }

  @Test func `a preview that cannot be read is an error`() {
    let broken = SuppliedPicture(name: "1x1.png", error: InspectionError(.notAMovie, "this is not a PNG or JPEG picture"))
    #expect(Self.findings(broken) == ["preview-match": .error])
  }
}
