/// Measurements at the seams of labelled clips, judged again. `Scripts/accuracy/seams/store-measurements.py` writes the
/// file, and docs/measurements.md has the figures of the same clips.
@Suite struct SeamAccuracyTests {
  private struct Clip: Decodable {
    /// 0 for a loop, 2 for a clear defect.
    var tier: Int
    /// The verdicts that are right.
    var accepted: Set<String>
    var inspection: Inspection

    var hasAlarm: Bool {
      let (seam, findings) = Rules.judge(inspection, key: .square, profile: .nowPlaying)
      let isRaised = findings.contains { ["loop-seam", "fade", "static"].contains($0.rule) && $0.severity != .info }
      return isRaised && (tier == 2 || !accepted.contains(seam?.verdict.rawValue ?? "none"))
    }
  }

  @Test func `alarms on loops and clear defects that are caught are within half a per cent of the document`() throws {
    let file = Checkout.root.appendingPathComponent("Tests/Fixtures/seams.ndjson.gz")
    let text = try run("gzip", ["-dc", file.path])
    try #require(text.status == 0)
    let clips = try text.output.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(Clip.self, from: $0) }
    let loops = clips.filter { $0.tier == 0 }
    let defects = clips.filter { $0.tier == 2 }
    #expect(loops.count == 1066 && defects.count == 743)
    let alarms = Double(loops.count(where: \.hasAlarm)) / Double(loops.count)
    let caught = Double(defects.count(where: \.hasAlarm)) / Double(defects.count)
    #expect(abs(alarms - 0.018) < 0.005, "\(alarms)")
    #expect(abs(caught - 0.97) < 0.005, "\(caught)")
  }
}
