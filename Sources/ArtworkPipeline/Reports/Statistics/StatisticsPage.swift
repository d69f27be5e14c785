import CEmbedded

/// The numbers of runs as one self-contained page of charts, without a script.
package enum StatisticsPage {
  /// - Throws: if libcrypto cannot compute the digest that the page's policy names.
  package static func render(_ report: StatisticsReport, toolVersion: String) throws -> String {
    let style = [UInt8](embedded_report_css) + [UInt8](embedded_stats_css)
    let policy =
      "default-src 'none'; base-uri 'none'; form-action 'none'; style-src \(try HTMLReport.digest(style))"
    let last = report.runs.last
    let parts = [
      "policy": policy, "about": XMLText.escaped(about(report.runs)),
      "content": last.map { content(report.runs, $0) } ?? "",
      "footer": "artworkd \(XMLText.escaped(toolVersion))",
    ]
    return HTMLReport.assemble(
      [UInt8](embedded_stats_html),
      parts.mapValues { Array($0.utf8) }.merging(["style": style]) { $1 })
  }

  private static func about(_ runs: [RunStatistics]) -> String {
    guard let last = runs.last else { return "no runs" }
    return runs.count == 1
      ? "\(last.name), \(last.total) results"
      : "\(runs.count) runs; the last is \(last.name) with \(last.total) results"
  }

  private static func content(_ runs: [RunStatistics], _ last: RunStatistics) -> String {
    let tiles = last.verdicts.byVerdict.map { verdict, count in
      "<div class=\"tile \(verdict)\"><b>\(count)</b><span>\(verdict), \(share(count, of: last.total))</span></div>"
    }
    var plots: [String] = []
    if runs.count > 1 { plots.append(trend(runs)) }
    func ranking(_ title: String, _ note: String, _ counts: RunStatistics.Counts, _ most: Int) {
      let ranked = counts.ranked.prefix(most)
      if !ranked.isEmpty { plots.append(bars(title, note, Array(ranked), of: last.total)) }
    }
    ranking(
      "Files by rule", "warnings and errors; one file may break several rules", last.problems, 14)
    if last.destinations.count > 1 { plots.append(destinations(last)) }
    plots += last.distributions.map(histogram)
    ranking("Seam verdicts", "what a viewer sees where the clip repeats", last.seams, 12)
    ranking("Codecs", "in FFmpeg's names", last.codecs, 12)
    return "<div class=\"tiles\">\(tiles.joined())</div>\n<div class=\"charts\">\n"
      + plots.joined(separator: "\n") + "\n</div>"
  }

  private static func figure(
    _ title: String, _ note: String, _ drawing: String, height: Int, width: Int = 480,
    isWide: Bool = false, legend: Bool = false
  ) -> String {
    let words = XMLText.escaped(note)
    let key = CandidateReport.Verdict.allCases.map { "<span class=\"\($0)\"><i></i>\($0)</span>" }
      .joined()
    return """
      <section class="chart\(isWide ? " wide" : "")"><h2>\(XMLText.escaped(title))</h2><p>\(words)</p>
      <svg viewBox="0 0 \(width) \(height)" role="img" aria-label="\(XMLText.escaped(title + ": " + note))">
      \(drawing)
      </svg>\(legend ? "<div class=\"legend\">\(key)</div>" : "")</section>
      """
  }

  private static func number(_ value: Double) -> String { decimal(value, places: 1) }

  // MARK: Drawings

  /// Horizontal bars with their names.
  private static func bars(
    _ title: String, _ note: String, _ counts: [(name: String, count: Int)], of total: Int
  ) -> String {
    let most = Double(max(1, counts.map(\.count).max() ?? 1))
    var drawing = ""
    for (index, (name, count)) in counts.enumerated() {
      let top = 24 * index
      let length = max(1.5, 240 * Double(count) / most)
      drawing += """
        <text class="name end" x="150" y="\(top + 15)">\(XMLText.escaped(name.shortened(to: 24)))</text>
        <rect class="bar" x="158" y="\(top + 3)" width="\(number(length))" height="16" rx="3"><title>\(XMLText.escaped(name)): \(count) of \(total)</title></rect>
        <text x="\(number(164 + length))" y="\(top + 15)">\(count) · \(share(count, of: total))</text>

        """
    }
    return figure(title, note, drawing, height: max(24, 24 * counts.count))
  }

  /// Columns over an axis, with the median.
  private static func histogram(_ distribution: Distribution) -> String {
    let bins = Array(distribution.visibleBins)
    let most = Double(max(1, bins.map(\.count).max() ?? 1))
    let (left, floor, room) = (4.0, 158.0, 140.0)
    let width = (480 - 2 * left) / Double(max(1, bins.count))
    var drawing = ""
    var median = left
    for (index, bin) in bins.enumerated() {
      let x = left + width * Double(index)
      let height = bin.count == 0 ? 0 : max(1.5, room * Double(bin.count) / most)
      drawing += """
        <rect class="bar" x="\(number(x + 1))" y="\(number(floor - height))" width="\(number(max(1, width - 2)))" height="\(number(height))" rx="2"><title>\(distribution.label(bin)): \(bin.count)</title></rect>

        """
      if bin.from <= distribution.median {
        let span = (bin.to ?? max(distribution.most, bin.from + 1)) - bin.from
        median = x + width * min(1, (distribution.median - bin.from) / max(span, 1e-9))
      }
      // Labels that fit.
      if index % max(1, (bins.count + 7) / 8) == 0 {
        drawing +=
          "<text class=\"mid\" x=\"\(number(max(x, 16)))\" y=\"174\">\(distribution.measure.words(bin.from))</text>\n"
      }
      if bin.count > 0, width >= 30 {
        drawing +=
          "<text class=\"mid\" x=\"\(number(x + width / 2))\" y=\"\(number(floor - height - 4))\">\(bin.count)</text>\n"
      }
    }
    drawing += """
      <line class="axis" x1="\(number(left))" y1="\(number(floor))" x2="476" y2="\(number(floor))"/>
      <line class="middle" x1="\(number(median))" y1="14" x2="\(number(median))" y2="\(number(floor))"><title>median \(distribution.measure.words(distribution.median))</title></line>
      """
    return figure(distribution.measure.title, distribution.sentence, drawing, height: 180)
  }

  /// A bar for each destination, parted by verdict.
  private static func destinations(_ run: RunStatistics) -> String {
    var drawing = ""
    let sorted = run.destinations.sorted { $0.key < $1.key }
    for (index, (name, verdicts)) in sorted.enumerated() {
      let top = 24 * index
      drawing +=
        "<text class=\"name end\" x=\"150\" y=\"\(top + 15)\">\(XMLText.escaped(name.shortened(to: 24)))</text>\n"
      drawing += parts(verdicts, total: verdicts.values.reduce(0, +)) { start, length, title in
        "x=\"\(number(158 + 318 * start))\" y=\"\(top + 3)\" width=\"\(number(318 * length))\" height=\"16\"><title>\(XMLText.escaped(name)), \(title)</title>"
      }
    }
    return figure(
      "Destinations", "verdicts for each", drawing, height: max(24, 24 * sorted.count), legend: true
    )
  }

  /// A column for each run, parted by verdict.
  private static func trend(_ runs: [RunStatistics]) -> String {
    let width = min(120, 960.0 / Double(runs.count))
    var drawing = ""
    for (index, run) in runs.enumerated() {
      let x = width * Double(index) + min(6, width / 8)
      let column = max(1, width - 2 * min(6, width / 8))
      drawing += parts(run.verdicts, total: run.total) { start, length, title in
        "x=\"\(number(x))\" y=\"\(number(8 + 150 * (1 - start - length)))\" width=\"\(number(column))\" height=\"\(number(150 * length))\"><title>\(XMLText.escaped(run.name)), \(title)</title>"
      }
      let room = wholeNumber((width / 7).rounded(.down), as: Int.self) ?? 0
      if room >= 4 {
        drawing +=
          "<text class=\"mid\" x=\"\(number(x + column / 2))\" y=\"174\">\(XMLText.escaped(run.name.shortened(to: room)))</text>\n"
      }
    }
    drawing += "<line class=\"axis\" x1=\"0\" y1=\"158\" x2=\"960\" y2=\"158\"/>"
    return figure(
      "Trend", "shares of verdicts in \(runs.count) runs, the oldest first", drawing, height: 180,
      width: 960, isWide: true, legend: true)
  }

  /// Rectangles of the verdicts. `place` receives the start and the length of each, as shares of the whole, and
  /// words.
  private static func parts(
    _ verdicts: RunStatistics.Counts, total: Int, _ place: (Double, Double, String) -> String
  ) -> String {
    var start = 0.0
    var drawing = ""
    for (verdict, count) in verdicts.byVerdict {
      guard count > 0, total > 0 else { continue }
      let length = Double(count) / Double(total)
      let title = "\(verdict): \(count), \(share(count, of: total))"
      drawing += "<rect class=\"share \(verdict)\" \(place(start, length, title))</rect>\n"
      start += length
    }
    return drawing
  }
}
