/// The output of `artworkd import` for people.
package struct ImportText: Sendable {
  package var style: TextStyle
  /// Columns of the terminal; `nil` wraps nothing.
  package var width: Int?

  package init(style: TextStyle, width: Int? = nil) {
    self.style = style
    self.width = width
  }

  /// The written file, and the changes made on the way.
  package func render(
    _ report: EncodingReport, _ recipe: Recipe, source: FilePath, output: FilePath
  ) -> String {
    var text =
      style.paint(output.string.printable, .heading) + "  made from "
      + "\(source.string.printable): \(length(report.frameCount, report.durationSeconds))"
    if report.sourceFrames != report.frameCount {
      text += " of \(length(report.sourceFrames, report.sourceSeconds))"
    }
    text += "\n"
    for note in notes(report, recipe) {
      text +=
        "  " + TextWrap(width: width).lines(note, indent: 2).joined(separator: "\n  ") + "\n"
    }
    return text
  }

  /// Advice for a loop that does not close; empty for one that does.
  package func advice(
    _ report: CandidateReport, _ recipe: Recipe, source: FilePath
  ) -> String {
    guard let seam = report.seam, seam.verdict.weight != .good else { return "" }
    var ways = ["artworkd loop \(source.string.printable) finds the parts that loop"]
    if [.loop, .once].contains(recipe.frames.order) {
      ways.append("--loop-mode auto-reverse plays it forward and backward")
    }
    let text = "To close the loop: " + ways.joined(separator: "; ") + "."
    return TextWrap(width: width).lines(text, indent: 0)
      .map { style.paint($0, .link) }.joined(separator: "\n") + "\n"
  }

  private func length(_ frames: Int, _ seconds: Double) -> String {
    "\(frames) frame\(frames == 1 ? "" : "s"), \(decimal(seconds, places: 3)) s"
  }

  private func notes(_ report: EncodingReport, _ recipe: Recipe) -> [String] {
    var notes: [String] = []
    if report.isFlattened, case .drawn(let drawing)? = recipe.encoding?.form {
      notes.append(
        "Transparent parts show the background: \(drawing.background.name) (--background).")
    }
    if let rate = report.loweredRate {
      notes.append(
        "The frame rate is above \(FrameSelection.highestRate) fps, and was lowered to "
          + "\(decimal(rate, places: 3)) fps.")
    }
    if report.raisedDelays > 0 {
      notes.append(
        "\(report.raisedDelays) frames have a delay of 0 or 10 ms, and are shown for 100 ms, as in "
          + "browsers.")
    }
    return notes
  }
}

extension PixelColor {
  /// The color in hexadecimal digits, for example `#1e90ff`; `black` for black.
  fileprivate var name: String {
    self == .black ? "black" : "#" + [red, green, blue].hexadecimal
  }
}
