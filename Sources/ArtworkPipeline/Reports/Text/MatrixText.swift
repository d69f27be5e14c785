/// One row for each candidate or release, one column for each destination, for a terminal.
package struct MatrixText {
  /// The width of most terminals.
  package static let usualWidth = 80
  /// Cells are shortened to no less: a mark and the start of a reason.
  private static let narrowestCell = 8
  private static let narrowestName = 12
  private static let gap = 2

  package var style: TextStyle
  package var width: Int?

  /// Returns the matrix with a row for each candidate.
  package func render(_ results: [CandidateReport], profiles: [Profile]) -> String {
    render(
      Self.names(results), results.map { [$0] }, profiles: profiles)
  }

  /// Returns the matrix with a row for each release.
  func render(_ releases: [ReleaseResult], profiles: [Profile]) -> String {
    render(releases.map(\.name), releases.map(\.reports), profiles: profiles)
  }

  private func render(
    _ names: [String], _ results: [[CandidateReport]], profiles: [Profile]
  ) -> String {
    let rows = results.map { reports in
      profiles.map { DestinationCell(reports, profile: $0.name) }
    }
    let (nameWidth, widths) = widths(names: names, rows: rows, profiles: profiles)
    func row(_ first: String, _ cells: [String], _ paint: (Int, String) -> String) -> String {
      var line = first.padded(to: nameWidth)
      for (column, cell) in cells.enumerated() {
        let isLast = column == cells.count - 1
        line += String(repeating: " ", count: Self.gap)
        line += paint(column, cell)
        if !isLast { line += String(repeating: " ", count: max(0, widths[column] - cell.cells)) }
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

  /// Paths without the folders that all of them are in.
  private static func names(_ results: [CandidateReport]) -> [String] {
    let folders = results.map { Array($0.path.removingLastComponent().components) }
    let fewest = folders.map(\.count).min() ?? 0
    let shared = (0..<fewest).first { level in Set(folders.map { $0[level] }).count > 1 } ?? fewest
    return results.map { result in
      let kept = result.path.components.dropFirst(shared)
      return (shared == 0 ? result.path : FilePath(root: nil, kept)).string.printable
    }
  }

  /// The wide ones give way first, the name not before the others have.
  private func widths(
    names: [String], rows: [[DestinationCell]], profiles: [Profile]
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

extension String {
  func trimmingSuffix(_ character: Character) -> String {
    var text = self[...]
    while text.last == character { text.removeLast() }
    return String(text)
  }
}
