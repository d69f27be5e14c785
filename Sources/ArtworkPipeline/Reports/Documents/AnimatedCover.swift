/// A loop that `artworkd animate` made from a cover, judged.
package struct AnimatedCover: Sendable {
  package var path: FilePath
  package var key: ArtworkKey
  package var motion: Motion
  package var report: EncodingReport
  /// The actual motion.
  package var drawn: Motion.Kind { report.motion ?? motion.kind }
  /// The findings of `check` for it.
  package var findings: [Finding]

  /// - Parameters:
  ///   - inspection: of the loop.
  ///   - path: its path if it is verified.
  /// - Throws: `video-not-written` for a loop that has a seam, or does not move.
  package init(
    _ report: EncodingReport, _ inspection: Inspection, _ motion: Motion, key: ArtworkKey,
    path: FilePath
  ) throws(InspectionError) {
    let judged = CandidateReport(judging: inspection, of: path, as: key)
    (self.path, self.key, self.motion, self.report) = (path, key, motion, report)
    findings = judged.findings.filter { $0.severity > .info }
    guard let verdict = judged.seam?.verdict, verdict != .static else {
      throw InspectionError(
        .videoNotWritten,
        "nothing would move in the \(key.rawValue) video: the cover has too little detail",
        advice: "use another --motion, or more --strength")
    }
    guard verdict == .seamless else {
      throw InspectionError(
        .videoNotWritten,
        "the \(key.rawValue) video would not repeat without a seam (\(verdict.rawValue))",
        advice: "use another --motion, --strength or --seed")
    }
  }
}

/// The output of `artworkd animate` for people.
package struct AnimateText: Sendable {
  package var style: TextStyle
  package var width: Int?

  package init(style: TextStyle, width: Int?) {
    self.style = style
    self.width = width.map { max(40, $0) }
  }

  package func render(_ made: AnimatedCover) -> String {
    let seconds = decimal(made.report.durationSeconds, places: 3)
    var line =
      "\(made.path.string.printable): \(made.drawn.rawValue), "
      + "\(made.report.frameCount) frames, \(seconds) s"
    if let crop = made.report.crop {
      line += ", \(crop.size)"
      if crop.window.score < 0.995 {
        line += "; shows \(decimal(crop.window.score * 100, places: 0)) % of the visual interest"
      }
    }
    line += "; seamless"
    var text = style.paint("✓ ", .good) + wrapped(line)
    if made.report.crop?.isFlat == true {
      text +=
        style.paint("! ", .warning)
        + wrapped(
          "no part stands out clearly, so the crop is in the middle; use --focus X,Y to choose another point"
        )
    }
    if made.drawn != made.motion.kind {
      text +=
        style.paint("! ", .warning)
        + wrapped(
          "\(made.drawn.rawValue) instead of \(made.motion.kind.rawValue): the depth of this cover cannot be estimated"
        )
    }
    for finding in made.findings {
      text +=
        "  \(finding.severity.rawValue)  \(finding.rule)  " + wrapped(finding.message.printable)
    }
    return text
  }

  private func wrapped(_ line: String) -> String {
    TextWrap(width: width).lines(line, indent: 2).joined(separator: "\n  ") + "\n"
  }
}
