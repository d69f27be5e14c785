import ArtworkPipeline
import SystemPackage

/// The lines about a new file for people: a sentence, warnings, and the findings that it has.
struct MadeFileText {
  let style = Terminal.outputStyle
  private let wrap = TextWrap(width: Terminal.outputWidth.map { max(40, $0) })

  /// - Parameters:
  ///   - parts: of the sentence, which commas separate.
  ///   - seam: the judgement of the loop, in words.
  func made(_ path: FilePath, _ parts: [String], seam: String?) -> String {
    style.paint("✓ ", .good)
      + wrapped(
        "\(path.string.printable): " + parts.joined(separator: ", ")
          + (seam.map { "; \($0)" } ?? ""))
  }

  func warning(_ text: String) -> String { style.paint("! ", .warning) + wrapped(text) }

  func note(_ text: String) -> String { "  " + wrapped(text) }

  /// Remarks are left out.
  func findings(of report: CandidateReport?) -> String {
    (report?.findings ?? []).filter { $0.severity > .info }.map {
      "  \($0.severity.rawValue)  \($0.rule)  " + wrapped($0.message.printable)
    }.joined()
  }

  func wrapped(_ line: String) -> String {
    wrap.lines(line, indent: 2).joined(separator: "\n  ") + "\n"
  }
}
