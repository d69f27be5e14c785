/// The one command for a release, for a POSIX shell.
struct ReleaseCommand {
  /// Usually one; several if files need different options.
  var lines: [String]

  /// - Parameter reports: the files of a release.
  /// - Returns: `nil` if no command fixes what counts.
  init?(_ reports: [CandidateReport]) {
    let counting = reports.flatMap(\.countingFindings)
    let fixes = Set(counting.compactMap(\.fix))
    guard let fix = Finding.Fix.allCases.first(where: fixes.contains) else {
      let command = counting.lazy.compactMap(\.command).first { $0 == $0.printableLines }
      guard let command else { return nil }
      lines = [command]
      return
    }
    switch fix {
    case .repair: lines = Self.repairs(reports)
    case .making:
      lines = counting.filter { $0.fix == fix }.compactMap(\.command)
        .filter { $0 == $0.printableLines }
        .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
    if lines.isEmpty { return nil }
  }

  private static func repairs(_ reports: [CandidateReport]) -> [String] {
    let repaired = reports.filter(\.isRepairable)
    let commands = repaired.compactMap { $0.repair?.command }
    guard commands.count == repaired.count, let options = options(repaired) else { return commands }
    let places =
      ownFolder(reports).map { [ShellWord.quoted($0)] }
      ?? repaired.map { ShellWord.quoted($0.path) }
    return ["artworkd repair \(places.joined(separator: " ")) --in-place\(words(options))"]
  }

  /// The folder of a release that has one of its own, and is repaired as a whole.
  private static func ownFolder(_ reports: [CandidateReport]) -> FilePath? {
    let folder = FilePath(ReleaseResult(reports: reports).folder)
    return reports[0].artworkID.map { $0 == folder.lastComponent?.string } ?? false ? folder : nil
  }

  /// The options that make the whole of a release ready, missing videos among it; `nil` if it has no folder of its own, or
  /// nothing that a command fixes.
  static func folderOptions(_ reports: [CandidateReport]) -> [String]? {
    guard ownFolder(reports) != nil, reports.contains(where: \.isFixable) else { return nil }
    return options(reports.filter(\.isRepairable))
  }

  /// A folder as people write it: `.` for the current one.
  static func place(_ folder: FilePath) -> String {
    [".", ".."].contains(folder.string) ? folder.string : ShellWord.quoted(folder)
  }

  /// The command for everything below some folders: `artworkd repair art --output-dir fixed --unsafe`.
  ///
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
      "artworkd repair \(places.joined(separator: " ")) --output-dir \(output)\(words(options + search.map(ShellWord.quoted)))"
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

  private static func words(_ options: [String]) -> String { options.map { " " + $0 }.joined() }

  /// The options after the names in the command of a file.
  static func options(_ report: CandidateReport) -> [String] {
    guard let command = report.repair?.command else { return [] }
    // An animation that becomes a video is encoded.
    guard command.hasPrefix("artworkd repair ") else { return ["--unsafe"] }
    // After the names, which may be others than the report's: absolute ones.
    guard let place = command.ranges(of: " --in-place").last else { return [] }
    return command[place.upperBound...].split(separator: " ").map(String.init)
  }
}
