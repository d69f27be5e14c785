import FoundationEssentials

/// Runs in numbers: one, or several that show a trend.
package struct StatisticsReport: Sendable, Encodable {
  package var schemaVersion = ReportDocument.schemaVersion
  /// Runs in the order of time.
  package var runs: [RunStatistics]

  package init(_ runs: [RunStatistics]) { self.runs = runs }

  /// Reads the runs in files of results. The shards of a run count as one run, at the position of the first.
  ///
  /// - Throws: ``MergeError`` as ``RunStatistics/init(of:)-(FilePath)``, and for a run of which shards are missing or named
  ///   twice.
  package init(of files: [FilePath]) throws(MergeError) {
    struct Division: Hashable {
      var count: Int
      var list: String
      var configuration: String?
    }
    var runs: [RunStatistics] = []
    var parts: [Division: (place: Int, files: [FilePath], shards: [Int])] = [:]
    for file in files {
      let run = try RunStatistics(of: file)
      let summary = run.summaries.first
      if let shard = summary?.shard, shard.count > 1, let list = summary?.list?.digest {
        let division = Division(
          count: shard.count, list: list, configuration: summary?.configuration)
        var part = parts[division] ?? (runs.count, [], [])
        if part.files.isEmpty { runs.append(run) }
        part.files.append(file)
        part.shards.append(shard.index)
        parts[division] = part
      } else {
        runs.append(run)
      }
    }
    for (division, part) in parts.sorted(by: { $0.value.place < $1.value.place }) {
      guard Set(part.shards).count == part.shards.count else {
        throw MergeError(
          file: part.files.last, message: "a shard of this run is named twice",
          help: "name each shard once")
      }
      guard part.shards.count == division.count else {
        throw MergeError(
          file: part.files.first,
          message:
            "it is one of \(division.count) shards, and \(part.shards.count == 1 ? "no other is" : "only \(part.shards.count) are") named",
          help: "name all shards of a run, or the result of artworkd merge")
      }
      runs[part.place] = try RunStatistics(of: part.files)
    }
    self.runs = runs
  }

  /// - Throws: errors of the encoder.
  package func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }

  /// - Parameter width: columns of the terminal; 80 for `nil`.
  package func text(style: TextStyle, width: Int?) -> String {
    let text = StatisticsText(style: style, width: width ?? TextWrap.usualWidth)
    var parts: [String] = []
    if runs.count > 1 { parts.append(text.trend(runs)) }
    if let last = runs.last { parts.append(text.run(last)) }
    return parts.joined(separator: "\n")
  }
}

/// A part of a whole in words.
func share(_ count: Int, of total: Int) -> String {
  "\(decimal(total == 0 ? 0 : 100 * Double(count) / Double(total), places: 1)) %"
}

/// Numbers as bars for a terminal.
struct StatisticsText {
  var style: TextStyle
  var width: Int

  private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  func run(_ run: RunStatistics) -> String {
    let title = style.paint(run.name.printable, .heading)
    var text = "\(title)  \(run.total) results\n"
    var sections = [("verdicts", run.verdicts.byVerdict[...])]
    if run.destinations.count > 1 {
      sections += run.destinations.sorted { $0.key < $1.key }.map { ($0, $1.byVerdict[...]) }
    }
    sections += [
      ("files by rule", run.problems.ranked.prefix(12)),
      ("seam verdicts", run.seams.ranked.prefix(8)), ("codecs", run.codecs.ranked.prefix(8)),
    ]
    for (title, counts) in sections { text += section(title, Array(counts), of: run.total) }
    for distribution in run.distributions {
      text += section(
        distribution.measure.title.lowercased(),
        distribution.visibleBins.map { (distribution.label($0), $0.count) }, of: distribution.count,
        note: distribution.sentence)
    }
    return text
  }

  /// A line for each run, and the rules whose numbers of files changed most.
  func trend(_ runs: [RunStatistics]) -> String {
    let name = min(32, runs.map { $0.name.printable.cells }.max() ?? 0)
    var text =
      style.paint("trend".padded(to: name) + "  results   pass   warn   fail  error", .heading)
      + "\n"
    for run in runs {
      let shares = run.verdicts.byVerdict.map { share($1, of: run.total).paddedLeft(to: 6) }
      text += run.name.printable.shortened(to: name).padded(to: name)
      text += "\(run.total)".paddedLeft(to: 9) + " " + shares.joined(separator: " ") + "\n"
    }
    guard let first = runs.first, let last = runs.last else { return text }
    let (earlier, later) = (first.problems, last.problems)
    let changes = Set(earlier.keys).union(later.keys)
      .map { ($0, earlier[$0] ?? 0, later[$0] ?? 0) }
      .filter { $0.1 != $0.2 }
      .sorted { left, right in
        let (one, other) = (abs(left.2 - left.1), abs(right.2 - right.1))
        return one == other ? left.0 < right.0 : one > other
      }
    if !changes.isEmpty {
      text += "\n" + style.paint("files by rule, first and last run", .heading) + "\n"
      for (rule, before, after) in changes.prefix(10) {
        let change = after > before ? "+\(after - before)" : "\(after - before)"
        text += "  \(rule.padded(to: 20)) \("\(before)".paddedLeft(to: 8)) → "
        text += "\("\(after)".paddedLeft(to: 8))  "
        text += style.paint(change, after > before ? .bad : .good) + "\n"
      }
    }
    return text
  }

  private func section(
    _ title: String, _ counts: [(name: String, count: Int)], of total: Int, note: String? = nil
  ) -> String {
    guard !counts.isEmpty else { return "" }
    let names = min(30, counts.map { $0.name.printable.cells }.max() ?? 0)
    let numbers = counts.map { "\($0.count)".count }.max() ?? 0
    let room = max(10, width - names - numbers - 14)
    let most = max(1, counts.map(\.count).max() ?? 1)
    var text = "\n" + style.paint(title, .heading) + "\n"
    if let note { text += TextWrap(width: width).paragraph(note, indent: 2) }
    for (name, count) in counts {
      let bar = Self.bar(count, most: most, cells: room)
      text +=
        "  \(name.printable.shortened(to: names).padded(to: names))  "
        + "\("\(count)".paddedLeft(to: numbers))  \(share(count, of: total).paddedLeft(to: 6))"
        + (bar.isEmpty ? "" : "  " + style.paint(bar, .link)) + "\n"
    }
    return text
  }

  private static func bar(_ count: Int, most: Int, cells: Int) -> String {
    let length = count * cells * 8 / most
    // Anything above zero is visible.
    let visibleBins = count > 0 ? max(1, length) : 0
    return String(repeating: "█", count: visibleBins / 8) + eighths[visibleBins % 8]
  }
}
