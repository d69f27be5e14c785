/// The output of `artworkd repair` for people: a block for each clip.
package struct RepairText: Sendable {
  package var style: TextStyle
  /// Columns of the terminal; `nil` wraps nothing.
  package var width: Int?

  package init(style: TextStyle, width: Int?) {
    self.style = style
    self.width = width.map { max(40, $0) }
  }

  /// The blocks of a release. Clips of which nothing counts are left out in a folder.
  package func render(_ release: Repair) -> String {
    let clips = release.outcomes.filter { outcome in
      guard case .unchanged = outcome.status, outcome.plan.candidate.folder != nil else {
        return true
      }
      return outcome.plan.findings.contains { $0.severity > .info }
    }
    var lines = clips.flatMap { outcome in
      let state = State.of(outcome)
      let target = outcome.output.map { " → \($0.string.printable)" } ?? ""
      return section(
        "\(state.mark) \(state.word.padded(to: 8))", state.role,
        outcome.plan.candidate.path.string.printable + target, self.lines(outcome))
    }
    // What the clips alone do not say.
    let known = clips.flatMap(\.findings)
    let rest = release.left.filter { found in !known.contains { $0.rule == found.rule } }
    if !rest.isEmpty {
      lines += section(
        "! \("left".padded(to: 8))", .warning, release.name.printable,
        rest.map { "\($0.rule): \($0.message.printable) → \($0.help.printable)" })
    }
    return style.render(lines, width: width)
  }

  private func section(
    _ mark: String, _ role: TextStyle.Role, _ name: String, _ lines: [String]
  ) -> [TextLine] {
    [TextLine(text: style.paint(mark, role) + "  " + name, indent: 2, isWrapped: false)]
      + lines.map { TextLine(text: $0, indent: 14) }
  }

  /// The words for what became of a clip: in its line, and in the sum of all.
  private struct State {
    var mark: String
    var word: String
    var role: TextStyle.Role
    var sum: String

    static let all = [
      State(mark: "✓", word: "repaired", role: .good, sum: "repaired"),
      State(mark: "✓", word: "done", role: .good, sum: "done already"),
      State(mark: "→", word: "planned", role: .link, sum: "to repair"),
      State(mark: "–", word: "nothing", role: .quiet, sum: "unchanged"),
      State(mark: "✗", word: "refused", role: .bad, sum: "refused"),
      State(mark: "✗", word: "error", role: .bad, sum: "error"),
    ]

    private static func index(_ status: RepairOutcome.Status) -> Int {
      switch status {
      case .repaired: 0
      case .fromEarlierRun: 1
      case .planned: 2
      case .unchanged: 3
      case .refused: 4
      case .failed: 5
      }
    }

    static func of(_ outcome: RepairOutcome) -> State { all[index(outcome.status)] }

    static func counts(_ outcomes: [RepairOutcome]) -> [Int] {
      outcomes.reduce(into: all.map { _ in 0 }) { $0[index($1.status)] += 1 }
    }
  }

  private func lines(_ outcome: RepairOutcome) -> [String] {
    let plan = outcome.plan
    var lines: [String] = []
    func list(_ words: String, _ findings: [Finding]) {
      if !findings.isEmpty {
        lines.append("\(words) \(findings.ruleNames.joined(separator: ", "))")
      }
    }
    var isMade = false
    switch outcome.status {
    case .failed(let error): lines += ["\(error.description.printable)", "→ \(error.help)"]
    case .refused(let reason): lines.append(reason.printable)
    case .unchanged:
      if plan.findings.isEmpty { lines.append("no findings of its own") }
      let rest = plan.findings.filter { !plan.needsEncoding.contains($0) }
      list("not selected:", rest.filter { $0.repair != nil })
      list("no repair for", rest.filter { $0.repair == nil })
    case .fromEarlierRun:
      lines.append("done already: an earlier run made this file of the same video")
    case .planned, .repaired: isMade = true
    }
    list(outcome.isRepaired ? "repaired:" : "to repair:", outcome.repaired)
    if let frames = outcome.comparison {
      let count = counted(frames.compared, "frame")
      lines.append(
        frames.method == .packets && frames.differing == 0
          ? "\(count) from the same packets, all decoded"
          : "\(count) compared, "
            + (frames.differing == 0 ? "none differs" : "\(frames.differing) differ"))
    }
    list("with --unsafe, which encodes it again:", plan.needsEncoding)
    if outcome.isRepaired {
      let repaired = Set(outcome.repaired.map(\.rule))
      let others = outcome.findings.filter { !repaired.contains($0.rule) }
      // A swing has a remark that the clip had not.
      let old = Set(plan.findings.map(\.rule))
      let new = others.filter { $0.severity == .info && !old.contains($0.rule) }
      list("left:", others.filter { !new.contains($0) })
      // A rule may be kept for one destination and still be broken for another.
      lines += outcome.findings.filter { repaired.contains($0.rule) }
        .map { "not for \($0.profile): \($0.message.printable)" }
      var printed: Set<String> = []
      lines += (outcome.remarks + new).map(\.message).filter { printed.insert($0).inserted }
        .map { "a remark is left: \($0.printable)" }
    }
    if outcome.isDerived {
      lines.append("the \(plan.key.rawValue) shape is cropped out of the other")
    } else if isMade {
      lines += outcome.changes + outcome.assumptions
      if let frames = outcome.recipe?.frames,
        frames.order == .autoReverse || frames.dissolvedFrames > 0
      {
        lines.append(
          "no part that is long enough loops; artworkd loop lists shorter ones, --shortest allows them"
        )
      }
    }
    return lines
  }

  /// The last lines, for example `3 clips: 2 repaired, 1 unchanged`, and how many releases are ready.
  ///
  /// - Parameter left: clips that were read and keep a warning or an error of a selected rule.
  package func closing(_ releases: [Repair], leaving left: Int) -> String {
    let outcomes = releases.flatMap(\.outcomes)
    let counts = State.counts(outcomes)
    let (repaired, done, planned) = (counts[0], counts[1], counts[2])
    let parts = zip(counts, State.all).filter { $0.0 > 0 }.map { "\($0) \($1.sum)" }
    let unsafe = outcomes.count { !$0.plan.needsEncoding.isEmpty }
    var text =
      style.paint("\(counted(outcomes.count, "clip")):", .heading)
      + " " + (parts.isEmpty ? "none found" : parts.joined(separator: ", ")) + "\n"
    if unsafe > 0 {
      text += "\(unsafe) can be repaired with --unsafe, which encodes the video again"
      // No file is replaced.
      text += repaired + done > 0 ? ", into another --output-dir.\n" : ".\n"
    }
    if repaired > 0 {
      text += "A repaired file is a different video: publish it under a new artworkID.\n"
    }
    if releases.contains(where: \.isWhole) {
      return text + ready(releases, isPlanned: planned > 0)
    }
    if left > 0 {
      text += "\(left) with a warning or an error left, so the exit code is not 0.\n"
    }
    return text
  }

  /// The number of releases that are ready, for example `58 of 62 releases are ready.`, and what each of the others needs.
  private func ready(_ releases: [Repair], isPlanned: Bool) -> String {
    func with(_ verdict: Repair.Verdict) -> [Repair] {
      releases.filter { $0.verdict == verdict }
    }
    func list(_ some: [Repair], _ words: String, _ role: TextStyle.Role) -> String {
      if some.isEmpty { return "" }
      return style.paint("\(some.count) \(words):", role) + "\n"
        + some.map { release in
          let reasons = release.reasons.map(\.printable).joined(separator: "; ")
          let lines = TextWrap(width: width).lines(
            "\(release.name.printable): \(reasons)", indent: 4, lead: 2)
          return "  " + lines.joined(separator: "\n    ") + "\n"
        }.joined()
    }
    let (ready, you) = (with(.ready).count, with(.needYou))
    let text = ReleaseResult.ready(ready, releases.count, isPlanned: isPlanned) + "."
    let lists =
      list(with(.look), "to look at", .link)
      + list(you, you.count == 1 ? "needs you" : "need you", .heading)
    return style.paint(text, ready == releases.count ? .good : .heading)
      + (lists.isEmpty ? "\n" : " " + lists)
  }
}
