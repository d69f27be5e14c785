/// The result of one candidate, or of a release, at one destination: a cell of the matrix.
struct DestinationCell {
  /// The worst of its files; `nil` if it was not judged for that destination.
  var verdict: CandidateReport.Verdict?
  /// The worst finding's rule, or the error's code; `nil` if nothing stands against it.
  var reason: String?
  /// Other rules that stand against it.
  var others: Int

  init(_ report: CandidateReport, profile: String) { self.init([report], profile: profile) }

  /// - Parameter reports: the files of a release.
  init(_ reports: [CandidateReport], profile: String) {
    let judged = reports.filter { $0.verdict(for: profile) != nil }
    verdict = judged.compactMap { $0.verdict(for: profile) }.min { $0.rank < $1.rank }
    guard verdict != nil else {
      (reason, others) = (nil, 0)
      return
    }
    if let error = judged.lazy.compactMap(\.error).first {
      (reason, others) = (error.code.rawValue, 0)
      return
    }
    var rules: [String] = []
    let findings = judged.flatMap(\.findings)
    for severity in [Finding.Severity.error, .warning] {
      for finding in findings
      where finding.severity == severity && finding.profile == profile
        && !rules.contains(finding.rule)
      {
        rules.append(finding.rule)
      }
    }
    (reason, others) = (rules.first, max(0, rules.count - 1))
  }

  /// The cell as text, for example `✗ frame-rate +2`, shortened to `width` columns if given.
  func text(width: Int? = nil) -> String {
    guard let verdict else { return "–" }
    guard let reason else { return verdict.mark }
    let rest = others == 0 ? "" : " +\(others)"
    let full = "\(verdict.mark) \(reason)\(rest)"
    guard let width, full.count > width else { return full }
    let room = width - 2 - rest.count
    if room >= 3 { return "\(verdict.mark) \(reason.shortened(to: room))\(rest)" }
    return "\(verdict.mark) \(reason)".shortened(to: width)
  }
}

extension CandidateReport.Verdict {
  package var mark: String {
    switch self {
    case .pass: "✓"
    case .warn: "!"
    case .fail, .error: "✗"
    }
  }

  var role: TextStyle.Role {
    switch self {
    case .pass: .good
    case .warn: .warning
    case .fail, .error: .bad
    }
  }

  /// The place in an order that begins with the worst.
  package var rank: Int {
    switch self {
    case .error: 0
    case .fail: 1
    case .warn: 2
    case .pass: 3
    }
  }
}

extension String {
  /// Shortens text to at most `width` terminal cells, with an ellipsis for the end that is missing.
  package func shortened(to width: Int) -> String {
    guard cells > width else { return self }
    var text = ""
    var taken = 0
    for character in self {
      taken += String(character).cells
      if taken > width - 1 { break }
      text.append(character)
    }
    return text + "…"
  }

  /// Cuts off the start of a text that is too wide, since the end of a path is more informative.
  func shortenedAtStart(to width: Int) -> String {
    guard cells > width else { return self }
    var text: [Character] = []
    var taken = 0
    for character in reversed() {
      taken += String(character).cells
      if taken > width - 1 { break }
      text.append(character)
    }
    return "…" + String(text.reversed())
  }
}
