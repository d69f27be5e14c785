/// The files of a release, or a clip without a release: one unit to publish, with one line of the text report.
struct ReleaseResult {
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

  /// How many releases are ready, as a sentence without its full stop.
  static func ready(_ ready: Int, _ all: Int, isPlanned: Bool = false) -> String {
    let verb = isPlanned ? "would be" : ready == 1 || all == 1 ? "is" : "are"
    return "\(ready) of \(counted(all, "release")) \(verb) ready"
  }

  /// The commands for it, for a POSIX shell: usually one; several if files need different options. Empty if no command fixes
  /// what counts.
  var commands: [String] {
    let kinds: [Finding.Fix?] = Finding.Fix.allCases + [nil]
    let commands = kinds.lazy.map { kind -> [String] in
      counting.filter { $0.fix == kind }.compactMap(\.command)
        .filter { $0 == $0.printableLines }
        .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }.first { !$0.isEmpty }
    return Array((commands ?? []).prefix(counting.contains { $0.fix != nil } ? .max : 1))
  }

  /// The ``commands`` for a page; `nil` for none.
  var command: String? { commands.isEmpty ? nil : commands.joined(separator: "\n") }

  /// Whether it is a clip that belongs to no release.
  var isLoose: Bool { reports[0].release == nil }

  var isProblem: Bool { reports.contains(where: \.isProblem) }

  /// The worst of its files.
  var verdict: CandidateReport.Verdict {
    reports.map(\.verdict).min { $0.rank < $1.rank } ?? .pass
  }

  /// The most that one of its findings needs.
  var need: Need {
    if reports.contains(where: { $0.error != nil && !$0.errorIsKnown }) { return .you }
    let needs = reports.flatMap { report in report.countingFindings.map { need(of: $0, in: report) }
    }
    return [.you, .changes, .same].first(where: needs.contains) ?? .ready
  }

  /// What a warning or error of one of its files needs. What a repair of another finding removes needs nobody.
  func need(of finding: Finding, in report: CandidateReport) -> Need {
    // A crop is another picture, a preview is not.
    if finding.fix != nil {
      return finding.repair == .unsafe || finding.repair == nil && finding.rule == PairRule.id
        ? .changes : .same
    }
    let own = report.encodedRules
    return switch finding.rule {
    case "complementary" where !own.isDisjoint(with: Self.croppingRules): .changes
    case BlankFirstFrameRule.id where !own.isDisjoint(with: Self.cuttingRules): .changes
    default: .you
    }
  }

  private static let croppingRules: Set = ["letterbox", "aspect-ratio"]
  private static let cuttingRules: Set = [LoopSeamRule.id, FadeRule.id, "duration"]

  /// Warnings and errors of all its files.
  var counting: [Finding] { reports.flatMap(\.countingFindings) }

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
    let shared = FilePath.folder(of: reports.map(\.path))
    return shared.isEmpty ? "." : shared.string
  }
}

/// The command for everything below some folders: `artworkd repair art --output-dir fixed --unsafe`.
enum FolderCommand {
  /// A folder as people write it: `.` for the current one.
  static func place(_ folder: FilePath) -> String {
    [".", ".."].contains(folder.string) ? folder.string : ShellWord.quoted(folder)
  }

  /// - Parameter search: options that filter the files below them.
  static func repair(
    _ places: [String], _ reports: [CandidateReport], _ search: [String]
  ) -> String? {
    guard reports.contains(where: \.isFixable),
      let options = options(reports.filter(\.isRepairable))
    else { return nil }
    // Not into a folder that it reads.
    let read = Set(places.flatMap { FilePath($0).components.map(\.string) })
    let output = ["fixed", "fixed-again"].first { !read.contains($0) } ?? "fixed-anew"
    let command =
      (["artworkd repair"] + places + ["--output-dir", output] + options
      + search.map(ShellWord.quoted)).joined(separator: " ")
    return command == command.printableLines ? command : nil
  }

  /// The options that repair all of some files; `nil` if they need different ones.
  private static func options(_ reports: [CandidateReport]) -> [String]? {
    let options = reports.map(options)
    // What one file needs does no harm to the others.
    let others = Set(options.map { $0.filter { $0 != "--unsafe" } })
    guard others.count <= 1 else { return nil }
    return (options.contains { $0.contains("--unsafe") } ? ["--unsafe"] : []) + (others.first ?? [])
  }

  /// The options after the names in the command that repairs a file.
  private static func options(_ report: CandidateReport) -> [String] {
    // After the names, which may be others than the report's: absolute ones.
    guard let command = report.repair?.command,
      let place = command.ranges(of: " --in-place").last
    else { return [] }
    return command[place.upperBound...].split(separator: " ").map(String.init)
  }
}

/// What a release needs, from the quickest remedy to none.
package enum Need: String, Sendable, Codable, CaseIterable {
  /// A command that keeps the frames as they are.
  case same
  /// A command that encodes.
  case changes
  /// A person.
  case you
  case ready

  var title: String {
    switch self {
    case .same: "same picture, one command"
    case .changes: "picture changes, one command"
    case .you: "needs you"
    case .ready: "ready"
    }
  }

  var role: TextStyle.Role {
    switch self {
    case .same: .link
    case .changes: .warning
    case .you: .bad
    case .ready: .good
    }
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

  /// Whether a command fixes a finding that counts.
  var isFixable: Bool { countingFindings.contains { $0.fix != nil } }

  /// The rules whose findings are fixed by encoding.
  var encodedRules: Set<String> {
    Set(countingFindings.filter { $0.repair == .unsafe && $0.command != nil }.map(\.rule))
  }
}
