/// The short text report: a line for each release with its verdict and the rules that it breaks, then the worst
/// findings in words, and one command.
struct BriefText {
  /// The width before the lines of a release: a mark and a verdict.
  private static let indent = 9
  private static let widestName = 40
  /// Clips of no release in one folder, from which on they share one command.
  private static let heap = 4

  private let style: TextStyle
  private let width: Int?
  private let onlyProblems: Bool
  private let search: [String]
  private let nameWidth: Int
  /// Folders with many clips. A folder of releases contains no clips directly.
  private let crowded: Set<String>
  /// The crowded folder whose clips are being listed, and those of them that have problems.
  private var folder: String?
  private var clips: [CandidateReport] = []

  init(_ report: TextReport, paths: [FilePath]) {
    (style, width, onlyProblems) = (report.style, report.width, report.onlyProblems)
    search = report.search
    let folders = Dictionary(grouping: paths) { $0.removingLastComponent().string }
    crowded = Set(folders.filter { $0.value.count >= Self.heap }.keys)
    let names = folders.map { folder, paths in
      switch paths.count {
      case 1: paths[0].string.printable.cells
      case ..<Self.heap: max(folder.printable.cells + 1, 2)
      default: paths.map { ($0.lastComponent?.string ?? "").printable.cells }.max() ?? 0
      }
    }
    let room = report.width.map { max(16, $0 - Self.indent - 41) } ?? Self.widestName
    nameWidth = min(Self.widestName, room, names.max() ?? 0)
  }

  /// The lines of some releases; each with all its files.
  mutating func lines(_ reports: [CandidateReport]) -> String {
    var text = ""
    for release in ReleaseResult.all(reports) {
      let place = release.reports[0].path.removingLastComponent().string
      let isOfHeap = release.isLoose && crowded.contains(place)
      if !isOfHeap || place != folder { text += close() }
      if onlyProblems, !release.isProblem { continue }
      guard isOfHeap else {
        text += block(release)
        continue
      }
      let clip = release.reports[0]
      if folder == nil {
        folder = place
        let name = clip.folderName == "/" ? "/" : clip.folderName.printable + "/"
        text += style.paint(name, .heading) + "\n"
      }
      let command = ReleaseCommand(release.reports)
      text += row(release, clip.fileName.printable, repaired: command?.fix)
      if clip.isProblem { clips.append(clip) }
    }
    return text
  }

  /// The command for the clips of the last folder.
  mutating func close() -> String {
    defer { (folder, clips) = (nil, []) }
    guard let folder else { return "" }
    let place = ReleaseCommand.place(FilePath(folder.isEmpty ? "." : folder))
    return ReleaseCommand.repair([place], clips, search).map(command) ?? ""
  }

  private func block(_ release: ReleaseResult) -> String {
    let command = ReleaseCommand(release.reports)
    var text = row(release, release.name, repaired: command?.fix)
    if let words = words(release) { text += paragraph(words) }
    for line in command?.lines ?? [] { text += self.command(line) }
    return text
  }

  // Not wrapped, so that it can be copied and run.
  private func command(_ line: String) -> String {
    String(repeating: " ", count: Self.indent) + style.paint(line, .link) + "\n"
  }

  private func paragraph(_ text: String) -> String {
    let indent = String(repeating: " ", count: Self.indent)
    return TextWrap(width: width).lines(text.printable, indent: Self.indent)
      .map { indent + $0 + "\n" }.joined()
  }

  /// The worst finding that no command fixes with its advice, or else the worst.
  private func words(_ release: ReleaseResult) -> String? {
    func lead(_ report: CandidateReport) -> String {
      release.reports.count > 1 ? report.fileName + ": " : ""
    }
    for report in release.reports {
      guard let error = report.error, !report.errorIsKnown else { continue }
      return lead(report) + "\(error.description) → \(error.help)"
    }
    let findings = release.reports.flatMap { report in
      report.countingFindings.map { (report, $0) }
    }
    let unfixed = findings.filter { $0.1.fix == nil }
    let worst = unfixed.isEmpty ? findings : unfixed
    guard
      let (report, finding) = worst.first(where: { $0.1.severity == .error }) ?? worst.first
    else { return nil }
    return lead(report) + "\(finding.rule): \(finding.message)"
      + (unfixed.isEmpty ? "" : " → \(finding.help)")
  }

  // MARK: One line

  private struct Word {
    var text: String
    var role: TextStyle.Role
  }

  /// - Parameter repaired: the rules that the command below it fixes.
  private func row(_ release: ReleaseResult, _ name: String, repaired: Finding.Fix?) -> String {
    let verdict = release.verdict
    let head = style.paint("\(verdict.mark) \(verdict.rawValue.padded(to: 5))", verdict.role)
    let under = Self.indent + nameWidth + 2
    var line = head + "  " + name.padded(to: nameWidth)
    var taken = Self.indent + max(nameWidth, name.cells)
    var text = ""
    var gap = "  "
    for word in words(release, repaired: repaired) {
      if let width, taken + gap.count + word.text.cells > width, taken > under {
        text += line.trimmingSuffix(" ") + "\n"
        (line, taken, gap) = (String(repeating: " ", count: under), under, "")
      }
      line += gap + style.paint(word.text, word.role)
      taken += gap.count + word.text.cells
      gap = " "
    }
    return text + line.trimmingSuffix(" ") + "\n"
  }

  /// The rules that count: those that the command fixes, those that another command fixes afterwards, and those that
  /// none does.
  private func words(_ release: ReleaseResult, repaired: Finding.Fix?) -> [Word] {
    let failed = release.reports.filter { $0.error != nil }
    var words = failed.enumerated().map { index, report in
      let code = (report.error?.code.rawValue ?? "") + (report.errorIsKnown ? " (known)" : "")
      let name = release.reports.count > 1 ? " (\(report.fileName.printable))" : ""
      return Word(text: code + name + (index == failed.count - 1 ? "" : ","), role: .bad)
    }
    if words.isEmpty, !release.isProblem {
      let keys = Set(release.reports.compactMap(\.key))
      let known = ArtworkKey.allCases.filter(keys.contains).map(\.rawValue)
      return known.isEmpty ? [] : [Word(text: known.joined(separator: ", "), role: .quiet)]
    }
    let groups: [(String, (Finding) -> Bool)] = [
      ("", { $0.fix != nil && $0.fix == repaired }),
      ("then: ", { $0.fix != nil && $0.fix != repaired }), ("by hand: ", { $0.fix == nil }),
    ]
    for (lead, isIn) in groups {
      let rules = rules(release, isIn)
      if rules.isEmpty { continue }
      if !words.isEmpty { words[words.count - 1].text += ";" }
      for (index, rule) in rules.enumerated() {
        let text = (index == 0 ? lead : "") + rule.text + (index == rules.count - 1 ? "" : ",")
        words.append(Word(text: text, role: rule.role))
      }
    }
    return words
  }

  /// Each once, worst first, with the key if only some of the files break it.
  private func rules(_ release: ReleaseResult, _ isIn: (Finding) -> Bool) -> [Word] {
    var found: [(rule: String, severity: Finding.Severity, keys: [String])] = []
    for report in release.reports {
      let key = report.key?.rawValue ?? report.fileName.printable
      for finding in report.countingFindings where isIn(finding) {
        if let place = found.firstIndex(where: { $0.rule == finding.rule }) {
          found[place].severity = max(found[place].severity, finding.severity)
          if found[place].keys.last != key { found[place].keys.append(key) }
        } else {
          found.append((finding.rule, finding.severity, [key]))
        }
      }
    }
    let sorted = found.filter { $0.severity == .error } + found.filter { $0.severity != .error }
    return sorted.map { rule, severity, keys in
      let isShared = keys.count == release.reports.count
      return Word(
        text: rule + (isShared ? "" : " (\(keys.joined(separator: ", ")))"), role: severity.role)
    }
  }
}
