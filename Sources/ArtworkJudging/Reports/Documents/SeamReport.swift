/// The verdict on the seam of a file, for ``Pipeline/seam(of:)`` and `artworkd seam`. Encodes as one JSON object.
public struct SeamReport: Sendable, Encodable {
  /// Path as the caller named it.
  public var path: FilePath
  public var seam: SeamJudgement
  /// The number of displayed frames, at least 2, and their duration.
  public var frames: Int
  public var seconds: Double
  /// Faults that a viewer sees where the clip repeats, worst first: at the seam, of its times, or missing frames.
  public var findings: [Finding]
  /// The path of the picture that was drawn.
  public var picture: FilePath?

  /// Whether viewers do not notice the repeat: no fault is more than info.
  public var loops: Bool { findings.allSatisfy { $0.severity == .info } }

  /// The destination ``Profile/loop``, by the rules of the repeat only.
  package static let profile = RuleSelection(
    selected: ["truncated", "loop-seam", "loop-gap", "fade", "blank-first-frame"], ignored: []
  ).applied(to: .loop)

  /// - Throws: the error of the report, or `no-frames` for a file with a single frame.
  package init(_ report: CandidateReport) throws(InspectionError) {
    if let error = report.error { throw error }
    guard let facts = report.inspection?.facts, let seam = report.seam else {
      throw InspectionError(.noFrames, "a clip of a single frame has no seam")
    }
    (path, self.seam, findings) = (report.path, seam, report.findings)
    (frames, seconds) = (facts.frameCount, facts.durationSeconds)
  }

  private enum CodingKeys: CodingKey {
    case path, pathBytes, verdict, loops, score, certainty, sentence, frames, seconds,
      missingFrames,
      findings, picture
  }

  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(path.string, forKey: .path)
    try fields.encodeIfPresent(path.percentEncodedUnlessText, forKey: .pathBytes)
    try fields.encode(seam.verdict, forKey: .verdict)
    try fields.encode(loops, forKey: .loops)
    try fields.encode(seam.loopScore, forKey: .score)
    try fields.encode(seam.certainty, forKey: .certainty)
    try fields.encode(seam.sentence, forKey: .sentence)
    try fields.encode(frames, forKey: .frames)
    try fields.encode(seconds, forKey: .seconds)
    try fields.encodeIfPresent(seam.missingFrames, forKey: .missingFrames)
    try fields.encode(findings, forKey: .findings)
    try fields.encodeIfPresent(picture?.string, forKey: .picture)
  }

  /// One line for people, with its newline: the verdict and the faults.
  package func text(_ style: TextStyle) -> String {
    let faults = findings.filter { $0.severity > .info && $0.message != seam.sentence }
    let words = [seam.sentence] + faults.map(\.message)
    return style.paint(loops ? "✓" : "✗", loops ? .good : .bad)
      + " \(path.string.printable): \(seam.verdict.rawValue)"
      + (seam.certainty == .likely ? " (likely)" : "")
      + ", score \(decimal(seam.loopScore, places: 2)): \(words.joined(separator: "; "))\n"
  }
}
