/// One row for each candidate or release, one column for each destination, for a terminal.
struct DestinationMatrix {
  /// Cells are shortened to no less: a mark and the start of a reason.
  private static let narrowestCell = 8
  private static let narrowestName = 12
  private static let gap = 2

  var style: TextStyle
  var width: Int?
  var profiles: [Profile]

  /// Returns the matrix with a row for each candidate, named by its path without the folders that all of them are in.
  func files(_ results: [CandidateReport]) -> String {
    let folders = results.map { Array($0.path.removingLastComponent().components) }
    let fewest = folders.map(\.count).min() ?? 0
    let shared = (0..<fewest).first { level in Set(folders.map { $0[level] }).count > 1 } ?? fewest
    return render(
      results.map { result in
        let kept = result.path.components.dropFirst(shared)
        let name = shared == 0 ? result.path : FilePath(root: nil, kept)
        return (name.string.printable, [result])
      })
  }

  /// Returns the matrix with a row for each release.
  func releases(_ results: [CandidateReport]) -> String {
    render(ReleaseResult.all(results).map { ($0.name, $0.reports) })
  }

  private func render(_ results: [(name: String, reports: [CandidateReport])]) -> String {
    let names = results.map(\.name)
    let rows = results.map { result in
      profiles.map { DestinationCell(result.reports, profile: $0.name) }
    }
    let (nameWidth, widths) = widths(names: names, rows: rows)
    func row(_ first: String, _ cells: [String], _ paint: (Int, String) -> String) -> String {
      var line = first.padded(to: nameWidth)
      for (column, cell) in cells.enumerated() {
        line += String(repeating: " ", count: Self.gap) + paint(column, cell)
        line += String(repeating: " ", count: max(0, widths[column] - cell.cells))
      }
      return line.trimmingSuffix(" ") + "\n"
    }
    let headings = zip(profiles, widths).map { Self.heading($0.name, width: $1) }
    let height = headings.map(\.count).max() ?? 0
    var text = ""
    for line in 0..<height {
      let cells = headings.map { heading in
        let index = line - (height - heading.count)
        return index < 0 ? "" : heading[index]
      }
      text += row(line == height - 1 ? "destinations" : "", cells) {
        $1.isEmpty ? "" : style.paint($1, .heading)
      }
    }
    for (name, cells) in zip(names, rows) {
      text += row(
        name.shortenedAtStart(to: nameWidth),
        zip(cells, widths).map { $0.text(width: $1) }
      ) { style.paint($1, cells[$0].verdict?.role ?? .quiet) }
    }
    return text
  }

  /// The wide ones give way first, the name not before the others have.
  private func widths(
    names: [String], rows: [[DestinationCell]]
  ) -> (name: Int, columns: [Int]) {
    var name = max("destinations".count, names.map(\.cells).max() ?? 0)
    var columns = profiles.indices.map { column in
      max(rows.map { $0[column].text().count }.max() ?? 0, profiles[column].name.count)
    }
    guard let width else { return (name, columns) }
    // Names of profiles are divided if necessary, but their words never.
    let least = profiles.map { profile in
      let words = profile.name.split(separator: "-").map(\.count)
      return max(Self.narrowestCell, (words.dropLast().max() ?? 0) + 1, words.last ?? 0)
    }
    let room = width - Self.gap * columns.count
    func excess() -> Int { name + columns.reduce(0, +) - room }
    while excess() > 0, name > 44 { name -= 1 }
    while excess() > 0,
      let index = columns.indices.filter({ columns[$0] > least[$0] }).max(by: {
        columns[$0] < columns[$1]
      })
    {
      let widest = columns[index]
      // A name that is wider than any column gives way with them.
      if name > widest + 16 { name -= 1 } else { columns[index] -= 1 }
    }
    name = max(Self.narrowestName, name - max(0, excess()))
    return (name, columns)
  }

  /// A profile's name on as many lines as its words need.
  private static func heading(_ name: String, width: Int) -> [String] {
    let words = name.split(separator: "-")
    var lines: [String] = []
    for (index, word) in words.enumerated() {
      let piece = word + (index == words.count - 1 ? "" : "-")
      if let last = lines.last, last.count + piece.count <= width {
        lines[lines.count - 1] = last + piece
      } else {
        lines.append(String(piece))
      }
    }
    return lines.map { $0.shortened(to: width) }
  }
}

/// The result of one candidate, or of a release, at one destination: a cell of the matrix.
struct DestinationCell {
  /// The worst of its files; `nil` if it was not judged for that destination.
  var verdict: CandidateReport.Verdict?
  /// The worst finding's rule, or the error's code; `nil` if nothing stands against it.
  var reason: String?
  /// Other rules that stand against it.
  var others: Int

  /// - Parameter reports: the files of a release, or one alone.
  init(_ reports: [CandidateReport], profile: String) {
    let judged = reports.filter { $0.verdict(for: profile) != nil }
    verdict = judged.compactMap { $0.verdict(for: profile) }.min { $0.rank < $1.rank }
    guard verdict != nil else {
      (reason, others) = (nil, 0)
      return
    }
    if let error = judged.lazy.compactMap(\.error).first {
      (reason, others) = (error.code.rawValue, 0)
      return
    }
    var rules: [String] = []
    let findings = judged.flatMap(\.findings)
    for severity in [Finding.Severity.error, .warning] {
      for finding in findings
      where finding.severity == severity && finding.profile == profile
        && !rules.contains(finding.rule)
      {
        rules.append(finding.rule)
      }
    }
    (reason, others) = (rules.first, max(0, rules.count - 1))
  }

  /// The cell as text, for example `✗ frame-rate +2`, shortened to `width` columns if given.
  func text(width: Int? = nil) -> String {
    guard let verdict else { return "–" }
    guard let reason else { return verdict.mark }
    let rest = others == 0 ? "" : " +\(others)"
    let full = "\(verdict.mark) \(reason)\(rest)"
    guard let width, full.count > width else { return full }
    let room = width - 2 - rest.count
    if room >= 3 { return "\(verdict.mark) \(reason.shortened(to: room))\(rest)" }
    return "\(verdict.mark) \(reason)".shortened(to: width)
  }
}
