/// The output of `artworkd loop` for people.
package struct LoopText: Sendable {
  package var style: TextStyle

  package init(style: TextStyle) { self.style = style }

  /// The whole text. Lines have at most 100 characters, but for commands.
  package func render(_ report: LoopReport, of files: LoopFiles) -> String {
    let frames = report.damagedFrames
    var text = style.paint(files.clip.string.printable, .heading) + "  " + facts(report) + "\n"
    if let seam = report.whole?.seam {
      text += "  \(style.paint(seam.verdict.rawValue, role(seam))): \(seam.sentence.printable)\n"
    }
    text += answer(report) + "\n"
    if frames > 0 {
      let words = frames == 1 ? "frame is" : "frames are"
      text +=
        style.paint("\(frames) \(words) damaged or missing: export the clip again first.", .warning)
        + "\n"
    }
    if !report.candidates.isEmpty {
      text += "\n" + table(report.candidates) + style.paint(Self.legend, .quiet) + "\n\n"
      for number in 1...report.candidates.count {
        text += "\("\(number)".paddedLeft(to: 2))  \(files.command("\(number)").printableLines)\n"
      }
    }
    if let fade = report.crossFade {
      let length = decimal(fade.endSeconds - fade.startSeconds, places: 3)
      text +=
        "\nOr dissolve: the last \(fade.fadeFrames) frames of a loop of \(length) s fade into those "
        + "before its start.\n    \(files.command("dissolve").printableLines)\n"
    }
    return text
  }

  private static let legend = """
    Frames count from 0; the second number is the first frame left out. Seam: the step across it,
    as a multiple of the clip's own. Surprise: how far the seam is from what the motion
    predicts; above 1, it jumps. The last column is the seam verdict that check will give.
    """

  private func facts(_ report: LoopReport) -> String {
    let rate =
      report.frameRate.map {
        ", \(decimal($0.value, places: 3)) fps" + (report.isVariableRate ? " (variable)" : "")
      } ?? ""
    return "\(counted(report.frameCount, "frame")), "
      + "\(decimal(report.durationSeconds, places: 3)) s\(rate)"
  }

  private func answer(_ report: LoopReport) -> String {
    let limit = "\(decimal(report.below, places: 3)) s"
    let loops = report.whole?.seam.verdict.loops == true
    let first = report.candidates.first
    let nearest = first == nil ? "" : "The nearest:"
    switch report.answer {
    case .loops:
      return style.paint("✓ It loops as it is; no cut is needed.", .good)
        + (first.map { $0.seam.verdict.loops ? " Other loops in it:" : " No part of it does:" }
          ?? "")
    case .trim where loops:
      return style.paint("→ It loops, but must be shorter than \(limit). ", .warning)
        + "Parts of it that loop:"
    case .trim:
      return style.paint("→ It does not loop as it is. ", .warning)
        + (first?.hardlyMoves == true ? "The parts that do loop hardly move:" : "Parts that do:")
    case .none where loops:
      return style.paint("✗ It loops, but no part shorter than \(limit) does. ", .bad) + nearest
    case .none: return style.paint("✗ No part of it loops. ", .bad) + nearest
    case .static:
      return "It loops wherever it is cut"
        + (report.durationSeconds >= report.below ? ", but must be shorter than \(limit)." : ".")
    case .tooShort:
      return
        "\(report.frameCount) frame\(report.frameCount == 1 ? " is" : "s are") too few to cut a "
        + "loop from; at least \(LoopReport.fewestFrames) are needed."
        + (loops ? " It loops as it is." : "")
    }
  }

  private func role(_ seam: SeamJudgement) -> TextStyle.Role {
    switch seam.verdict.weight {
    case .good: .good
    case .doubtful: .warning
    case .bad: .bad
    }
  }

  private func table(_ parts: [TrimCandidate]) -> String {
    let heading = ["", "frames", "from", "to", "length", "seam", "surprise", ""]
    let rows = parts.enumerated().map { index, part in
      [
        "\(index + 1)", "[\(part.startFrame), \(part.endFrame))",
        fixedDecimal(part.startSeconds, places: 6),
        fixedDecimal(part.endSeconds, places: 6),
        fixedDecimal(part.durationSeconds, places: 6) + " s",
        fixedDecimal(part.seam.score, places: 2),
        part.seam.surprise.map { fixedDecimal($0, places: 2) } ?? "-",
        part.seam.verdict.rawValue + (part.hardlyMoves ? ", hardly moves" : "")
          + (part.isLossless ? ", lossless" : ""),
      ]
    }
    let widths = heading.indices.map { column in
      ([heading] + rows).map { $0[column].cells }.max() ?? 0
    }
    func line(_ row: [String]) -> String {
      row.enumerated().map { column, cell in
        column == row.count - 1 ? cell : cell.paddedLeft(to: widths[column])
      }.joined(separator: "  ")
    }
    var text = style.paint(line(heading), .quiet) + "\n"
    for (row, part) in zip(rows, parts) {
      let last = row.last ?? ""
      text += line(row.dropLast() + [style.paint(last, role(part.seam))]) + "\n"
    }
    return text
  }
}
