import FoundationEssentials

/// Workflow commands of GitHub Actions, which become annotations of a commit's files, and a summary line.
///
/// GitHub displays at most ten annotations of each level per step, so the worst come first and the rest are plain
/// lines of the log.
enum GitHubReport {
  private static let mostAnnotations = 10

  /// - Parameter workspace: the folder of the repository; `nil` for the current one.
  static func render(
    _ report: CheckReport,
    workspace: String? = ProcessInfo.processInfo.environment["GITHUB_WORKSPACE"]
  ) -> String {
    let remarks = report.results.flatMap { result in
      let path = place(of: result.path, in: workspace.map { FilePath($0) })
      return result.remarks.filter { !$0.isKnown }.map { (path, $0) }
    }
    var text = ""
    for severity in Finding.Severity.allCases.sorted(by: >) {
      let level = remarks.filter { $0.1.severity == severity }
      let inOrder = level.filter(\.1.isError) + level.filter { !$0.1.isError }
      for (index, (path, remark)) in inOrder.enumerated() {
        let profiles =
          report.profiles.count > 1 && !remark.isError
          ? " (\(remark.profiles.joined(separator: ", ")))" : ""
        let title = remark.rule + profiles
        let message = remark.lines.joined(separator: "\n")
        text +=
          index < mostAnnotations
          ? "::\(severity.annotation) file=\(property(path)),title=\(property(title))::\(data(message))\n"
          : line([severity.annotation, path, title, message])
      }
    }
    if let known = CheckReport.baselineSentence(report.results) { text += known + "\n" }
    return text + TextReport.closing(report.summary, style: .plain)
  }

  /// The path in GitHub's form: below the workspace, and `./a` would be another file.
  private static func place(of path: FilePath, in workspace: FilePath?) -> String {
    var place = path.absolute(in: .currentFolder).lexicallyNormalized()
    guard let workspace, !workspace.isEmpty,
      place.removePrefix(workspace.lexicallyNormalized()), !place.isEmpty
    else { return path.lexicallyNormalized().string }
    return place.string
  }

  /// A remark beyond the maximum number of annotations. It cannot be mistaken for a workflow command, by older
  /// runners either.
  private static func line(_ words: [String]) -> String {
    let text = words.map { part in
      part.split(separator: "\n").map { String($0).printable }.joined(separator: " ")
    }.joined(separator: "  ")
    return "- " + text.replacing("##[", with: "## [") + "\n"
  }

  /// The runner takes these five apart again; no other control character has to reach a terminal.
  private static func data(_ text: String) -> String {
    String(
      text.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
        switch scalar {
        case "%": Array("%25".unicodeScalars)
        case "\r": Array("%0D".unicodeScalars)
        case "\n": Array("%0A".unicodeScalars)
        default: [scalar]
        }
      }.map(Character.init)
    ).printable
  }

  private static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}

extension Finding.Severity {
  fileprivate var annotation: String {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .info: "notice"
    }
  }
}
