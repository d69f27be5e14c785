/// The short text report: a line for each release with its verdict and the rules that it breaks, then the worst
/// finding in words, and one command; at the end, the next step.
struct BriefText {
  /// The width before the lines of a release: a mark and a verdict.
  private static let indent = 9
  private static let widestName = 40
  /// Clips of no release in one folder, from which on they share one command.
  private static let heap = 4

  private let setting: ReportSetting
  private let nameWidth: Int
  /// Folders with many clips. A folder of releases contains no clips directly.
  private let crowded: Set<String>
  /// The crowded folder whose clips are being listed, and those of them that have problems.
  private var folder: String?
  private var clips: [CandidateReport] = []

  private var style: TextStyle { setting.style }
  private var wrap: TextWrap { TextWrap(width: setting.width) }

  init(_ setting: ReportSetting, paths: [FilePath]) {
    self.setting = setting
    let folders = Dictionary(grouping: paths) { $0.removingLastComponent().string }
    crowded = Set(folders.filter { $0.value.count >= Self.heap }.keys)
    let names = folders.map { folder, paths in
      switch paths.count {
      case 1: paths[0].string.printable.cells
      case ..<Self.heap: max(folder.printable.cells + 1, 2)
      default: paths.map { ($0.lastComponent?.string ?? "").printable.cells }.max() ?? 0
      }
    }
    let room = setting.width.map { max(16, $0 - Self.indent - 41) } ?? Self.widestName
    nameWidth = min(Self.widestName, room, names.max() ?? 0)
  }

  /// The lines of some releases; each with all its files.
  mutating func lines(_ reports: [CandidateReport]) -> String {
    var text = ""
    for release in ReleaseResult.all(reports) {
      let place = release.reports[0].path.removingLastComponent().string
      let isOfHeap = release.isLoose && crowded.contains(place)
      if !isOfHeap || place != folder { text += close() }
      if setting.onlyProblems, !release.isProblem { continue }
      guard isOfHeap else {
        text += block(release)
        continue
      }
      let clip = release.reports[0]
      if folder == nil {
        folder = place
        text += style.paint(clip.folderHeading, .heading) + "\n"
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
    return ReleaseCommand.repair([place], clips, setting.search).map(command) ?? ""
  }

  private func block(_ release: ReleaseResult) -> String {
    let command = ReleaseCommand(release.reports)
    var text = row(release, release.name, repaired: command?.fix)
    if let words = worst(of: release) {
      text += wrap.paragraph(words.printable, indent: Self.indent)
    }
    for line in command?.lines ?? [] { text += self.command(line) }
    return text
  }

  // Not wrapped, so that it can be copied and run.
  private func command(_ line: String) -> String {
    String(repeating: " ", count: Self.indent) + style.paint(line, .link) + "\n"
  }

  /// The worst finding that no command fixes with its advice, or else the worst.
  private func worst(of release: ReleaseResult) -> String? {
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
    let under = Self.indent + nameWidth + 2
    var line = style.paint(release.verdict) + "  " + name.padded(to: nameWidth)
    var taken = Self.indent + max(nameWidth, name.cells)
    var text = ""
    var gap = "  "
    for word in words(release, repaired: repaired) {
      if let width = setting.width, taken + gap.count + word.text.cells > width, taken > under {
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

  // MARK: The end

  /// How many releases are ready, what one command fixes, and what has to be done by hand.
  func nextStep(_ reports: [CandidateReport]) -> String {
    func advice(_ text: String) -> String {
      wrap.paragraph(text, indent: 2) { style.paint($0, .quiet) }
    }
    let releases = ReleaseResult.all(reports)
    let standings: [(ReleaseResult.Standing, String, TextStyle.Role)] = [
      (.ready, "ready", .good), (.fixable, "fixable", .warning),
      (.reExport, "to re-export", .bad), (.unreadable, "unreadable", .bad),
    ]
    let words = standings.map { standing, name, role in
      let count = releases.count { $0.standing == standing }
      let noun = standing != .ready ? "" : count == 1 ? "release " : "releases "
      let text = "\(count) \(noun)\(name)"
      return count == 0 ? text : style.paint(text, role)
    }
    var text = words.joined(separator: ", ") + "\n"
    if let command = ReleaseCommand.repair(places(reports), reports, setting.search) {
      text += "→ " + style.paint(command, .link) + "\n" + advice(effect(releases))
    }
    if releases.contains(where: \.isProblem) {
      text += advice(
        "every finding with its numbers: --format full; what a rule means: artworkd explain RULE")
    }
    return text
  }

  /// The named paths, as words of a shell, without files that need no repair.
  private func places(_ reports: [CandidateReport]) -> [String] {
    if setting.places.isEmpty { return ["PATH..."] }
    let untouched = Set(
      reports.filter { !$0.isRepairable }.map { $0.path.lexicallyNormalized() })
    let repaired = setting.places.filter { !untouched.contains($0.lexicallyNormalized()) }
    return (repaired.isEmpty ? setting.places : repaired).map(ReleaseCommand.place)
  }

  /// The effect of the command, and on how many releases.
  private func effect(_ releases: [ReleaseResult]) -> String {
    let repaired = releases.filter { !$0.repaired.isEmpty }
    let whole = repaired.filter { release in
      release.standing == .fixable && release.counting.allSatisfy { $0.fix == .repair }
    }
    func encodes(_ release: ReleaseResult) -> Bool {
      release.repaired.contains { $0.repair == .unsafe }
    }
    let copied = whole.count { !encodes($0) }
    func counted(_ count: Int) -> String { "\(count) release\(count == 1 ? "" : "s")" }
    if whole.isEmpty {
      return "fixes something in \(counted(repaired.count))"
        + (repaired.contains(where: encodes) ? ", partly by encoding" : " without encoding")
    }
    var text = "fixes every warning and error in \(counted(whole.count))"
    if !repaired.contains(where: encodes) {
      text += " without encoding"
    } else if copied == 0 {
      text += " by encoding"
    } else {
      let part = copied == whole.count ? "" : "\(copied) of them "
      text += ", \(part)also without --unsafe (a copy)"
    }
    let others = repaired.count - whole.count
    return others == 0 ? text : text + ", and something in \(others) more"
  }
}
