/// Previews of high dynamic range clips that hold the picture of `color-bt709.mp4`, converted with its
/// white at 203 cd/m².
@Suite struct HighDynamicRangeTests {
  /// Measured: 0.9934 and 9.3 for PQ, 0.9921 and 9.1 for HLG. The mapping darkens on purpose, to leave
  /// room for highlights; taking PQ for a gamma curve is off by 29.
  @Test(
    "a tone-mapped preview keeps what is brighter than what",
    arguments: ["color-pq-converted.mp4", "color-hlg-converted.mp4"])
  func ranks(file: String) throws {
    let plain = try preview(Fixture.named("color-bt709.mp4"))
    let mapped = try preview(Fixture.named(file))
    #expect(mapped.size == plain.size)
    #expect(Self.rankCorrelation(Self.luma(plain), Self.luma(mapped)) > 0.988)
    #expect(InspectorTests.meanError(plain.bytes, mapped.bytes) < 11)
  }

  /// Measured: 7.7, nearly all of it in saturated colours, where the converter that made the clips
  /// follows another HLG model: 1.3 in grays.
  @Test("PQ and HLG of the same picture give nearly the same preview")
  func agreement() throws {
    let pq = try preview(Fixture.named("color-pq-converted.mp4"))
    let hlg = try preview(Fixture.named("color-hlg-converted.mp4"))
    #expect(InspectorTests.meanError(pq.bytes, hlg.bytes) < 9)
    let plain = try preview(Fixture.named("color-bt709.mp4"))
    var (fromPQ, fromHLG): ([UInt8], [UInt8]) = ([], [])
    for start in stride(from: 0, to: plain.bytes.count, by: 3) {
      let pixel = plain.bytes[start..<start + 3]
      guard (pixel.max() ?? 0) - (pixel.min() ?? 0) < 16 else { continue }
      fromPQ += pq.bytes[start..<start + 3]
      fromHLG += hlg.bytes[start..<start + 3]
    }
    #expect(fromPQ.count > 300)
    #expect(InspectorTests.meanError(fromPQ, fromHLG) < 2)
  }

  @Test(
    "only high dynamic range is flagged as tone-mapped",
    arguments: Fixture.decodable.filter {
      $0.file.hasPrefix("color-") || $0.file.hasPrefix("good-")
    })
  func flagged(fixture: Fixture) throws {
    let inspection = try Inspector().inspect(fixture.path).inspection
    let isHDR = ["smpte2084", "arib-std-b67"].contains(fixture.facts.colorTransfer)
    #expect(inspection.previewIsToneMapped == isHDR)
    let findings = Rules.judge(inspection, key: .square, profile: .nowPlaying).findings
    let isFull = fixture.facts.codec == "h264" && fixture.facts.colorRange == "pc"
    #expect(
      findings.contains { $0.rule == "color" && $0.severity == .warning } == (isHDR || isFull))
  }
}
