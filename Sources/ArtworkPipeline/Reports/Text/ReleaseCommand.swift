/// The one command for a release, for a POSIX shell.
struct ReleaseCommand {
  /// Usually one; several if files need different options.
  var lines: [String]

  /// - Parameter reports: the files of a release.
  /// - Returns: `nil` if no command fixes what counts.
  init?(_ reports: [CandidateReport]) {
    let counting = reports.flatMap(\.countingFindings)
    let kinds: [Finding.Fix?] = Finding.Fix.allCases + [nil]
    let commands = kinds.lazy.map { kind -> [String] in
      counting.filter { $0.fix == kind }.compactMap(\.command)
        .filter { $0 == $0.printableLines }
        .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }.first { !$0.isEmpty }
    guard let commands else { return nil }
    lines = counting.contains { $0.fix != nil } ? commands : [commands[0]]
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

  /// The options after the names in the command that repairs a file.
  private static func options(_ report: CandidateReport) -> [String] {
    // After the names, which may be others than the report's: absolute ones.
    guard let command = report.repair?.command,
      let place = command.ranges(of: " --in-place").last
    else { return [] }
    return command[place.upperBound...].split(separator: " ").map(String.init)
  }
}
