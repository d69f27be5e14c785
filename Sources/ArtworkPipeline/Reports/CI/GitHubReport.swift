import FoundationEssentials

/// Workflow commands of GitHub Actions, which become annotations of a commit's files, and a summary line.
///
/// GitHub displays at most ten annotations of each level per step, so the worst come first and the rest are plain
/// lines of the log.
enum GitHubReport {
  private static let mostAnnotations = 10

  private struct Remark {
    var level: String
    var path: String
    var title: String
    var message: String
  }

  /// - Parameter workspace: the folder of the repository; `nil` for the current one.
  static func render(
    _ report: CheckReport,
    workspace: String? = ProcessInfo.processInfo.environment["GITHUB_WORKSPACE"]
  ) -> String {
    var errors: [Remark] = []
    var others: [Finding.Severity: [Remark]] = [:]
    for result in report.results {
      let path = place(of: result.path, in: workspace.map { FilePath($0) })
      if let error = result.error, !result.errorIsKnown {
        errors.append(
          Remark(
            level: "error", path: path, title: error.code.rawValue,
            message: "\(error.description)\n→ \(error.help)"))
      }
      for (index, group) in FindingGroup.groups(result.findings).enumerated() {
        let repair = index == 0 ? result.repair : nil
        let profiles =
          report.profiles.count > 1 ? " (\(group.profiles.joined(separator: ", ")))" : ""
        others[group.severity, default: []].append(
          Remark(
            level: group.severity.annotation, path: path, title: group.rule + profiles,
            message: ([group.message] + group.facts + group.helps.flatMap(\.lines)
              + (repair?.lines ?? []))
              .joined(separator: "\n")))
      }
    }
    var text = ""
    for remarks in [errors + (others[.error] ?? []), others[.warning] ?? [], others[.info] ?? []] {
      for remark in remarks.prefix(mostAnnotations) { text += command(remark) }
      for remark in remarks.dropFirst(mostAnnotations) { text += line(remark) }
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

  private static func command(_ remark: Remark) -> String {
    "::\(remark.level) file=\(property(remark.path)),title=\(property(remark.title))"
      + "::\(data(remark.message))\n"
  }

  /// A remark beyond the maximum number of annotations. It cannot be mistaken for a workflow command, by older
  /// runners either.
  private static func line(_ remark: Remark) -> String {
    let words = [remark.level, remark.path, remark.title, remark.message]
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
