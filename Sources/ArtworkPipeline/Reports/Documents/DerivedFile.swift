import FoundationEssentials

/// A variant that `artworkd derive` made, and its source.
package struct DerivedFile: Sendable {
  package var crop: CropReport
  package var frameCount: Int
  /// `nil` if only a plan was requested.
  package var path: FilePath?
  /// Whether an earlier run made it of the same video in the same way.
  package var isFromEarlier = false
  /// The findings of `check` for the new file as its key.
  package var findings: [Finding] = []
  /// Errors of rules that the source does not break.
  package var newErrors: [Finding] = []
  package var seam: SeamJudgement.Verdict?
  var sourceSeam: SeamJudgement.Verdict?

  /// - Parameters:
  ///   - inspection: of the new file; `nil` without one.
  ///   - source: the inspection of the clip.
  package init(
    _ crop: CropReport, frameCount: Int, _ inspection: Inspection?, key: ArtworkKey,
    source: Inspection, path: FilePath?
  ) {
    (self.crop, self.frameCount, self.path) = (crop, frameCount, path)
    sourceSeam = Rules.seam(of: source, profile: .nowPlaying)?.verdict
    guard let inspection else { return }
    let judged = CandidateReport(judging: inspection, of: path, as: key)
    seam = judged.seam?.verdict
    findings = judged.findings
    let before = Set(CandidateReport(judging: source, of: nil).brokenRules)
    newErrors = findings.filter { $0.severity == .error && !before.contains($0.rule) }
  }
}

/// The output of `artworkd derive` for people.
package struct DeriveText: Sendable {
  package var style: TextStyle
  package var width: Int?

  package init(style: TextStyle, width: Int?) {
    self.style = style
    self.width = width.map { max(40, $0) }
  }

  package func render(_ files: [DerivedFile], of source: FilePath) -> String {
    guard let first = files.first?.crop else { return "" }
    var lines = [
      "\(source.string.printable): the crop \(describe(first.window))"
    ]
    if let other = first.runnerUp {
      // The middle of a part counts for more than its edges.
      let reason = other.score > first.window.score ? ", but more of it near the edges" : ""
      lines.append("next best: \(describe(other))\(reason)")
    }
    if first.center != first.window { lines.append("middle: \(describe(first.center))") }
    var text = paragraphs(lines)
    if first.isFlat {
      text +=
        style.paint("! ", .warning)
        + wrapped(
          "no crop is clearly better than the centre, so the centre is used; use --focus X,Y to choose another point"
        )
    }
    for file in files {
      guard let path = file.path else { continue }
      text +=
        style.paint("✓ ", .good)
        + wrapped(
          "\(path.string.printable): \(file.isFromEarlier ? "done already, " : "")\(file.crop.size), \(file.frameCount) frames\(seam(file))"
        )
      for finding in file.findings where finding.severity > .info {
        text +=
          "  \(finding.severity.rawValue)  \(finding.rule)  "
          + wrapped(finding.message.printable)
      }
    }
    return text
  }

  private func paragraphs(_ lines: [String]) -> String {
    lines.enumerated().map { ($0 == 0 ? "" : "  ") + wrapped($1) }.joined()
  }

  private func wrapped(_ line: String) -> String {
    TextWrap(width: width).lines(line, indent: 2).joined(separator: "\n  ") + "\n"
  }

  private func describe(_ window: CropReport.Window) -> String {
    "\(window.width)x\(window.height) at \(window.x),\(window.y) keeps "
      + "\(decimal(window.score * 100, places: 0)) % of the visual interest"
  }

  private func seam(_ file: DerivedFile) -> String {
    guard let seam = file.seam, let before = file.sourceSeam else { return "" }
    return seam == before
      ? "; seam: \(seam.rawValue), as before"
      : "; seam: \(seam.rawValue), was \(before.rawValue)"
  }
}

/// A derived file as JSON, which docs/json.md describes.
package enum DeriveDocument {
  private struct Document: Encodable {
    var schemaVersion = 1
    var path: String
    var window: CropReport.Window?
    var runnerUp: CropReport.Window?
    var center: CropReport.Window?
    var isFlat: Bool
    var files: [File]
  }

  private struct File: Encodable {
    var path: String?
    /// Whether an earlier run made it.
    var isFromEarlier: Bool
    var width: Int
    var height: Int
    var frameCount: Int
    var seam: String?
    var sourceSeam: String?
    var findings: [Finding]
  }

  /// One indented document with a final newline.
  package static func render(
    _ files: [DerivedFile], of source: FilePath
  ) throws(InspectionError) -> String {
    let first = files.first?.crop
    let document = Document(
      path: source.string, window: first?.window, runnerUp: first?.runnerUp, center: first?.center,
      isFlat: first?.isFlat ?? false,
      files: files.map {
        File(
          path: $0.path?.string, isFromEarlier: $0.isFromEarlier,
          width: $0.crop.size.width, height: $0.crop.size.height,
          frameCount: $0.frameCount, seam: $0.seam?.rawValue,
          sourceSeam: $0.sourceSeam?.rawValue, findings: $0.findings)
      })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    do {
      return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
    } catch {
      throw InspectionError(.workerFailed, "the result cannot be encoded: \(error)")
    }
  }
}
