/// One candidate's line of the text report, cut into columns.
struct CandidateRow {
  /// The start of each column. Fixed before the first line is printed, since the other lines are not known then.
  struct Layout {
    /// The widths of key, size, rate, length and seam: enough for nearly every clip.
    private static let usual = [3, 9, 9, 8, 9]
    /// The widths of the columns on terminals of less than 80 columns.
    private static let compact = [3, 9, 6, 5, 8]
    private static let widestName = 44
    private static let narrowestName = 12
    private static let gap = 2
    /// The indent, the verdict and the gap after it.
    private static let verdict = 11

    private let name: Int
    private let columns: [Int]

    /// - Parameters:
    ///   - names: of all files that may be printed.
    ///   - width: columns of the terminal.
    init(names: [String], width: Int?) {
      columns = width.map { $0 < MatrixText.usualWidth } == true ? Self.compact : Self.usual
      let others = Self.verdict + columns.reduce(0) { $0 + Self.gap + $1 }
      // One very long name must not push every other line off the screen.
      let room = width.map { max(Self.narrowestName, $0 - others) } ?? Self.widestName
      name = min(Self.widestName, room, names.map(\.cells).max() ?? 0)
    }

    /// The cells in their columns. A cell that is too wide moves those after it only as far as it must.
    func line(_ row: CandidateRow) -> String {
      var line = row.name.padded(to: name)
      var start = name
      for (index, (cell, width)) in zip(row.columns, columns).enumerated() {
        start += Self.gap
        // Size, rate and length are compared by their ends.
        let isNumber = (1...3).contains(index)
        let place = isNumber ? start + width - cell.cells : start
        line = line.padded(to: max(place, line.cells + Self.gap)) + cell
        start += width
      }
      return line.trimmingSuffix(" ")
    }
  }

  var folder: String
  var name: String
  /// Key, size, rate, length, seam; empty when the file could not be inspected.
  var columns: [String]

  init(_ report: CandidateReport) {
    folder = report.folderName == "/" ? "/" : report.folderName.printable + "/"
    name = report.fileName.printable
    guard let facts = report.inspection?.facts else {
      columns = []
      return
    }
    let rate = facts.frameRate.map { "\(decimal($0, places: 3)) fps" } ?? "-"
    let mode = facts.frameRateMode == .variable ? "~" : ""
    columns = [
      report.key?.rawValue ?? "-", facts.displayDescription, mode + rate,
      "\(decimal(facts.durationSeconds, places: 2)) s", report.seam?.verdict.rawValue ?? "-",
    ]
  }
}
