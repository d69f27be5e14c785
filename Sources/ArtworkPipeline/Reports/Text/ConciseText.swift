/// A line for each finding, which editors turn into a link: `path: severity rule message`.
enum ConciseText {
  static func lines(_ report: CandidateReport, _ text: TextReport, namesProfiles: Bool) -> String {
    let (style, path) = (text.style, report.path.string.printable)
    func line(_ severity: String, _ role: TextStyle.Role, _ rule: String, _ message: String)
      -> String
    {
      "\(path): \(style.paint(severity, role)) \(style.paint(rule, .heading)) \(message.printable)\n"
    }
    var lines = ""
    if let error = report.error {
      let known = report.errorIsKnown ? " (known)" : ""
      lines += line("error", .bad, error.code.rawValue, error.description + known)
    }
    // Remarks are not problems.
    for group in FindingGroup.groups(report.findings)
    where !text.onlyProblems || group.severity > .info {
      let profiles = namesProfiles ? " (\(group.profiles.joined(separator: ", ")))" : ""
      lines += line(
        group.severity.rawValue, group.severity.role, group.rule, group.message + profiles)
    }
    return lines
  }
}
