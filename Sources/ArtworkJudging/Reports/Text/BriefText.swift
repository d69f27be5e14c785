/// The short text report: a line for each release with its verdict and what it needs, then what counts in words, and one
/// command; at the end, the next step.
struct BriefText {
  /// The width before the lines of a release: a mark and a verdict.
  private static let indent = 9
  private static let widestName = 40
  /// Findings of a release that are told.
  private static let mostLines = 3
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
  mutating func lines(_ reports: [CandidateReport]) -> [TextLine] {
    var lines: [TextLine] = []
    for release in ReleaseResult.all(reports) {
      let place = release.reports[0].path.removingLastComponent().string
      let isOfHeap = release.isLoose && crowded.contains(place)
      if !isOfHeap || place != folder { lines += close() }
      if setting.onlyProblems, !release.isProblem { continue }
      guard isOfHeap else {
        lines.append(row(release, release.name))
        lines += faults(of: release, most: Self.mostLines)
        lines += release.commands.map { .command($0, indent: Self.indent, .link) }
        continue
      }
      let clip = release.reports[0]
      if folder == nil {
        folder = place
        lines.append(TextLine(text: clip.folderHeading, role: .heading, isWrapped: false))
      }
      lines.append(row(release, clip.fileName.printable))
      lines += faults(of: release, most: 1)
      if clip.isProblem { clips.append(clip) }
    }
    return lines
  }

  /// The command for the clips of the last folder.
  mutating func close() -> [TextLine] {
    defer { (folder, clips) = (nil, []) }
    guard let folder else { return [] }
    let place = FolderCommand.place(FilePath(folder.isEmpty ? "." : folder))
    return [FolderCommand.repair([place], clips, setting.search)].compactMap(\.self)
      .map { .command($0, indent: Self.indent, .link) }
  }

  // MARK: What counts

  /// A finding that counts, or an error, of some of the files of a release.
  private struct Fault {
    var rule: String
    var text: String
    var severity = Finding.Severity.error
    var need = Need.you
    var files: [String]
  }

  /// The findings that count, worst first, in words; with the file if only some of them have it, and with the advice for
  /// what needs a person.
  private func faults(of release: ReleaseResult, most: Int) -> [TextLine] {
    let all = faults(of: release)
    var lines = all.prefix(most).map { fault in
      let whose =
        fault.files.count < release.reports.count ? fault.files.joined(separator: ", ") + ": " : ""
      return (whose + fault.text).printable + " " + style.paint("(\(fault.rule))", .quiet)
    }
    if all.count > most, most > 1 { lines.append("and \(all.count - most) more") }
    return lines.map { TextLine(text: $0, indent: Self.indent) }
  }

  private func faults(of release: ReleaseResult) -> [Fault] {
    var found: [Fault] = []
    for report in release.reports {
      let file = report.key?.rawValue ?? report.fileName
      if let error = report.error {
        let advice = report.errorIsKnown ? " (known)" : " → \(error.help)"
        found.append(
          Fault(rule: error.code.rawValue, text: error.description + advice, files: [file]))
      }
      for finding in report.countingFindings {
        let need = release.need(of: finding, in: report)
        let text = finding.message + (need == .you ? " → \(finding.help)" : "")
        if let place = found.firstIndex(where: { $0.rule == finding.rule && $0.text == text }) {
          if found[place].files.last != file { found[place].files.append(file) }
        } else {
          found.append(
            Fault(
              rule: finding.rule, text: text, severity: finding.severity, need: need, files: [file])
          )
        }
      }
    }
    // What a person has to do is not behind what a command does.
    return found.filter { $0.need == .you }
      + found.filter { $0.need != .you && $0.severity == .error }
      + found.filter { $0.need != .you && $0.severity != .error }
  }

  // MARK: One line

  private func row(_ release: ReleaseResult, _ name: String) -> TextLine {
    var line = style.paint(release.verdict) + "  " + name.padded(to: nameWidth) + "  "
    if release.isProblem {
      line += style.paint(release.need.title, release.need.role)
    } else {
      let keys = Set(release.reports.compactMap(\.key))
      let known = ArtworkKey.allCases.filter(keys.contains).map(\.rawValue).joined(separator: ", ")
      line = known.isEmpty ? line.trimmingSuffix(" ") : line + style.paint(known, .quiet)
    }
    return TextLine(text: line, isWrapped: false)
  }

  // MARK: The end

  /// How many releases are ready, how many one command makes ready, and how many need a person.
  func nextStep(_ reports: [CandidateReport]) -> [TextLine] {
    let releases = ReleaseResult.all(reports)
    func count(_ need: Need) -> Int { releases.count { $0.need == need } }
    let (ready, all) = (count(.ready), releases.count)
    var text = style.paint(
      ReleaseResult.ready(ready, all) + ".", ready == all ? .good : .heading)
    let (same, changes, you) = (count(.same), count(.changes), count(.you))
    let command = FolderCommand.repair(places(reports), reports, setting.search)
    if same + changes > 0, command != nil {
      let picture =
        changes == 0
        ? "with the same picture"
        : same == 0
          ? "the picture changes" : "\(same) with the same picture; in \(changes), it changes"
      text += " One command can make \(same + changes) more ready: \(picture)."
    }
    if you > 0 { text += " " + style.paint("\(you) need\(you == 1 ? "s" : "") you.", .bad) }
    var lines = [TextLine(text: text)]
    func advise(_ text: String) { lines.append(TextLine(text: text, indent: 2, role: .quiet)) }
    if let command {
      lines.append(TextLine(text: "→ " + style.paint(command, .link), isWrapped: false))
      if same > 0, changes > 0 { advise("without --unsafe, only what keeps the picture") }
    }
    if releases.contains(where: \.isProblem) {
      advise(
        "every finding with its numbers: --format full; what a rule means: artworkd explain RULE")
    }
    return lines
  }

  /// The named paths, as words of a shell, without files that need no repair. Without such paths, as in merged results, the
  /// folder that all of them are in.
  private func places(_ reports: [CandidateReport]) -> [String] {
    if setting.places.isEmpty {
      return [FolderCommand.place(FilePath(ReleaseResult(reports: reports).folder))]
    }
    let untouched = Set(
      reports.filter { !$0.isFixable }.map { $0.path.lexicallyNormalized() })
    let repaired = setting.places.filter { !untouched.contains($0.lexicallyNormalized()) }
    return (repaired.isEmpty ? setting.places : repaired).map(FolderCommand.place)
  }
}
