/// The output of `artworkd loop` for people.
package struct LoopText: Sendable {
  package var style: TextStyle

  package init(style: TextStyle) { self.style = style }

  /// The whole text. Lines have at most 100 characters, but for commands.
  package func render(_ report: LoopReport, of files: LoopFiles) -> String {
    var text = style.paint(files.clip.string.printable, .heading) + "  " + facts(report) + "\n"
    if let seam = report.whole?.seam {
      text += "  \(style.paint(seam.verdict.rawValue, role(seam))): \(seam.sentence.printable)\n"
    }
    text += answer(report) + "\n"
    if report.damagedFrames > 0 {
      text +=
        style.paint(
          "\(report.damagedFrames) \(report.damagedFrames == 1 ? "frame is" : "frames are") damaged or missing: export the clip again first.",
          .warning) + "\n"
    }
    if !report.candidates.isEmpty {
      text += "\n" + table(report.candidates)
      text +=
        style.paint(
          "Frames count from 0; the second number is the first frame left out. Seam: the step across it,\n"
            + "as a multiple of the clip's own. Surprise: how far the seam is from what the motion\n"
            + "predicts; above 1, it jumps. The last column is the seam verdict that check will give.",
          .quiet)
        + "\n"
      text += "\n" + commands(report, files)
    }
    if let fade = report.crossFade {
      text += "\n" + advice(fade, report, files)
    }
    return text
  }

  private func facts(_ report: LoopReport) -> String {
    let rate =
      report.frameRate.map {
        ", \(decimal($0.value, places: 3)) fps" + (report.isVariableRate ? " (variable)" : "")
      } ?? ""
    return "\(report.frameCount) frame\(report.frameCount == 1 ? "" : "s"), "
      + "\(decimal(report.durationSeconds, places: 3)) s\(rate)"
  }

  private func answer(_ report: LoopReport) -> String {
    let isTooLong = report.durationSeconds >= report.below
    let limit = "\(decimal(report.below, places: 3)) s"
    let loops = report.whole?.seam.verdict.loops == true
    switch report.answer {
    case .loops:
      return style.paint("✓ It loops as it is; no cut is needed.", .good)
        + (report.candidates.first?.seam.verdict.loops == true
          ? " Other loops in it:" : report.candidates.isEmpty ? "" : " No part of it does:")
    case .trim where loops:
      return style.paint("→ It loops, but must be shorter than \(limit). ", .warning)
        + "Parts of it that loop:"
    case .trim:
      return style.paint("→ It does not loop as it is. ", .warning)
        + (report.candidates.first?.hardlyMoves == true
          ? "The parts that do loop hardly move:" : "Parts that do:")
    case .none where loops:
      return style.paint("✗ It loops, but no part shorter than \(limit) does. ", .bad)
        + (report.candidates.isEmpty ? "" : "The nearest:")
    case .none:
      return style.paint("✗ No part of it loops. ", .bad)
        + (report.candidates.isEmpty ? "" : "The nearest:")
    case .static:
      return "It loops wherever it is cut"
        + (isTooLong ? ", but must be shorter than \(limit)." : ".")
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

  private func commands(_ report: LoopReport, _ files: LoopFiles) -> String {
    report.candidates.indices.map { index in
      "\("\(index + 1)".paddedLeft(to: 2))  \(files.command("\(index + 1)").printableLines)\n"
    }.joined()
  }

  private func advice(_ fade: CrossFade, _ report: LoopReport, _ files: LoopFiles) -> String {
    let length = decimal(fade.endSeconds - fade.startSeconds, places: 3)
    return
      "Or dissolve: the last \(fade.fadeFrames) frames of a loop of \(length) s fade into those "
      + "before its start"
      + ".\n    \(files.command("dissolve").printableLines)\n"
  }
}
