/// The columns of a candidate's line in the full text report. Their starts are fixed before the first line is printed,
/// since the other lines are not known then.
struct CandidateColumns {
  private static let widestName = 44
  private static let narrowestName = 12
  private static let gap = 2
  /// The indent, the verdict and the gap after it.
  private static let verdict = 11

  private let name: Int
  /// The widths of key, size, rate, length and seam: enough for nearly every clip.
  private let widths: [Int]

  /// - Parameters:
  ///   - names: of all files that may be printed.
  ///   - width: columns of the terminal.
  init(names: [String], width: Int?) {
    widths = width.map { $0 < TextWrap.usualWidth } == true ? [3, 9, 6, 5, 8] : [3, 9, 9, 8, 9]
    let others = Self.verdict + widths.reduce(0) { $0 + Self.gap + $1 }
    // One very long name must not push every other line off the screen.
    let room = width.map { max(Self.narrowestName, $0 - others) } ?? Self.widestName
    name = min(Self.widestName, room, names.map(\.cells).max() ?? 0)
  }

  /// The name, and the cells in their columns. A cell that is too wide moves those after it only as far as it must.
  func line(_ report: CandidateReport) -> String {
    var line = report.fileName.printable.padded(to: name)
    var start = name
    for (index, (cell, width)) in zip(Self.cells(of: report), widths).enumerated() {
      start += Self.gap
      // Size, rate and length are compared by their ends.
      let isNumber = (1...3).contains(index)
      let place = isNumber ? start + width - cell.cells : start
      line = line.padded(to: max(place, line.cells + Self.gap)) + cell
      start += width
    }
    return line.trimmingSuffix(" ")
  }

  /// Key, size, rate, length and seam; empty if the file could not be inspected.
  private static func cells(of report: CandidateReport) -> [String] {
    guard let facts = report.inspection?.facts else { return [] }
    let rate = facts.frameRate.map { "\(decimal($0, places: 3)) fps" } ?? "-"
    let mode = facts.frameRateMode == .variable ? "~" : ""
    return [
      report.key?.rawValue ?? "-", facts.displayDescription, mode + rate,
      "\(decimal(facts.durationSeconds, places: 2)) s", report.seam?.verdict.rawValue ?? "-",
    ]
  }
}
