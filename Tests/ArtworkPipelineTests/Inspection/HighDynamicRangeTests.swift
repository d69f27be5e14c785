/// Previews of high dynamic range clips that hold the picture of `color-bt709.mp4`, converted with its
/// white at 203 cd/m².
@Suite struct HighDynamicRangeTests {
  /// Measured: 9.3 for PQ and 9.1 for HLG. The mapping darkens on purpose, to leave
  /// room for highlights; taking PQ for a gamma curve is off by 29.
  @Test(arguments: ["color-pq-converted.mp4", "color-hlg-converted.mp4"])
  func `a tone-mapped preview is like that of the picture in BT.709`(file: String) throws {
    let plain = try preview(Fixture.named("color-bt709.mp4"))
    let mapped = try preview(Fixture.named(file))
    #expect(mapped.size == plain.size)
    #expect(InspectorTests.meanError(plain.bytes, mapped.bytes) < 11)
  }

  @Test(arguments: Fixture.decodable.filter { $0.file.hasPrefix("color-") || $0.file.hasPrefix("good-") })
  func `only high dynamic range is flagged as tone-mapped`(fixture: Fixture) throws {
    let inspection = try Inspector().inspect(fixture.path).inspection
    let isHDR = ["smpte2084", "arib-std-b67"].contains(fixture.facts.colorTransfer)
    #expect(inspection.previewIsToneMapped == isHDR)
    let findings = Rules.judge(inspection, key: .square, profile: .nowPlaying).findings
    let isFull = fixture.facts.codec == "h264" && fixture.facts.colorRange == "pc"
    #expect(findings.contains { $0.rule == "color" && $0.severity == .warning } == (isHDR || isFull))
  }
}
