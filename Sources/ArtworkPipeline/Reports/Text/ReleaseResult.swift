/// The files of a release, or a clip without a release: one unit to publish, with one line of the text report.
struct ReleaseResult {
  /// The next step for a release.
  enum Standing {
    /// No finding counts.
    case ready
    /// Commands fix everything that counts.
    case fixable
    /// A finding is left that no command fixes.
    case reExport
    /// A file could not be read or inspected.
    case unreadable
  }

  /// Reports in the order of the candidates; at least one.
  var reports: [CandidateReport]

  /// The releases of some results, in the order of their first files.
  static func all(_ reports: [CandidateReport]) -> [ReleaseResult] {
    var releases: [ReleaseResult] = []
    var places: [Release.Name: Int] = [:]
    for report in reports {
      if let place = report.release.flatMap({ places[$0] }) {
        releases[place].reports.append(report)
        continue
      }
      if let name = report.release { places[name] = releases.count }
      releases.append(ReleaseResult(reports: [report]))
    }
    return releases
  }

  /// Whether it is a clip that belongs to no release.
  var isLoose: Bool { reports[0].release == nil }

  var isProblem: Bool { reports.contains(where: \.isProblem) }

  /// The worst of its files.
  var verdict: CandidateReport.Verdict {
    reports.map(\.verdict).min { $0.rank < $1.rank } ?? .pass
  }

  var standing: Standing {
    if reports.contains(where: { $0.error != nil && !$0.errorIsKnown }) { return .unreadable }
    let counting = counting
    if counting.isEmpty { return .ready }
    return counting.allSatisfy { $0.fix != nil } ? .fixable : .reExport
  }

  /// Warnings and errors of all its files.
  var counting: [Finding] { reports.flatMap(\.countingFindings) }

  /// The findings that `artworkd repair` fixes.
  var repaired: [Finding] { counting.filter { $0.fix == .repair } }

  /// The path of its only file, or the folder of several, with the artworkID if the folder does not contain it.
  var name: String {
    let first = reports[0]
    guard reports.count > 1, let release = first.release else { return first.path.string.printable }
    guard release.folder != nil else { return release.artworkID.printable }
    let folder = folder == "/" ? "/" : folder + "/"
    let isInNames = reports.allSatisfy { $0.fileName.hasPrefix(release.artworkID) }
    return ((folder == "./" && isInNames ? "" : folder) + (isInNames ? release.artworkID : ""))
      .printable
  }

  /// The folder that all of its files are in; `.` for none.
  var folder: String {
    let folders = reports.map { $0.path.removingLastComponent() }
    var shared = folders[0]
    while !folders.allSatisfy({ $0.starts(with: shared) }), !shared.components.isEmpty {
      shared.removeLastComponent()
    }
    return shared.isEmpty ? "." : shared.string
  }
}

extension Finding {
  /// The kind of command that fixes it.
  enum Fix: CaseIterable {
    /// `artworkd repair`, or for an animation `artworkd import`.
    case repair
    /// A command that makes a missing file: a variant, or a preview.
    case making
  }

  /// `nil` if no command does: others, such as `artworkd loop`, only print what can be done.
  var fix: Fix? {
    guard let command else { return nil }
    if repair != nil { return .repair }
    return ["derive", "preview"].contains { command.hasPrefix("artworkd \($0) ") } ? .making : nil
  }
}

extension CandidateReport {
  /// Warnings and errors, worst first.
  var countingFindings: [Finding] {
    let counting = findings.filter { $0.severity > .info }
    return counting.filter { $0.severity == .error } + counting.filter { $0.severity == .warning }
  }

  /// Whether `artworkd repair` fixes a finding that counts.
  var isRepairable: Bool { countingFindings.contains { $0.fix == .repair } }
}
