/// The end of the text report: how many releases are ready, what one command fixes, and what has to be done by hand.
struct NextStep {
  var style: TextStyle
  var width: Int?
  /// The named paths, as words of a shell.
  var places: [String]
  /// Options that filter the files below them.
  var search: [String] = []

  func lines(_ reports: [CandidateReport]) -> String {
    let releases = ReleaseResult.all(reports)
    let standings = releases.map(\.standing)
    func count(_ standing: ReleaseResult.Standing) -> Int { standings.count { $0 == standing } }
    let parts: [(Int, String, TextStyle.Role)] = [
      (count(.ready), "ready", .good), (count(.fixable), "fixable", .warning),
      (count(.reExport), "to re-export", .bad), (count(.unreadable), "unreadable", .bad),
    ]
    let words = parts.enumerated().map { index, part in
      let noun = index > 0 ? "" : part.0 == 1 ? "release " : "releases "
      let text = "\(part.0) \(noun)\(part.1)"
      return part.0 == 0 ? text : style.paint(text, part.2)
    }
    var text = words.joined(separator: ", ") + "\n"
    if let command = ReleaseCommand.repair(places, reports, search) {
      text += "→ " + style.paint(command, .link) + "\n" + paragraph(effect(releases))
    }
    if releases.contains(where: \.isProblem) {
      text += paragraph(
        "every finding with its numbers: --format full; what a rule means: artworkd explain RULE")
    }
    return text
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

  private func paragraph(_ text: String) -> String {
    TextWrap(width: width).lines(text, indent: 2).map { "  " + style.paint($0, .quiet) + "\n" }
      .joined()
  }
}
