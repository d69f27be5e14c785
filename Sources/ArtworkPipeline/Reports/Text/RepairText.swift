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
  package func render(_ release: ReleaseRepair) -> String {
    let clips = release.outcomes.filter { outcome in
      guard case .unchanged = outcome.status, outcome.plan.candidate.folder != nil else {
        return true
      }
      return outcome.plan.findings.contains { $0.severity > .info }
    }
    let text = clips.map(render).joined()
    // What the clips alone do not say.
    let known = clips.flatMap(\.findings)
    let rest = release.left.filter { found in !known.contains { $0.rule == found.rule } }
    if rest.isEmpty { return text }
    return text + "  " + style.paint("! \("left".padded(to: 8))", .warning) + "  "
      + release.name.printable + "\n"
      + rest.flatMap { indented("\($0.rule): \($0.message.printable) → \($0.help.printable)") }
      .joined()
  }

  private func indented(_ line: String) -> [String] {
    TextWrap(width: width).lines(line, indent: Self.indent)
      .map { String(repeating: " ", count: Self.indent) + $0 + "\n" }
  }

  private func render(_ outcome: RepairOutcome) -> String {
    let (mark, word, role) = verdict(outcome.status)
    var text = "  " + style.paint("\(mark) \(word.padded(to: 8))", role) + "  "
    text += outcome.plan.candidate.path.string.printable
    if let target = outcome.output { text += " → \(target.string.printable)" }
    text += "\n"
    return text + lines(outcome).flatMap(indented).joined()
  }

  private static let indent = 14

  private func verdict(_ status: RepairOutcome.Status) -> (String, String, TextStyle.Role) {
    switch status {
    case .unchanged: ("–", "nothing", .quiet)
    case .planned: ("→", "planned", .link)
    case .repaired: ("✓", "repaired", .good)
    case .fromEarlierRun: ("✓", "done", .good)
    case .refused: ("✗", "refused", .bad)
    case .failed: ("✗", "error", .bad)
    }
  }

  private func lines(_ outcome: RepairOutcome) -> [String] {
    let plan = outcome.plan
    var lines: [String] = []
    switch outcome.status {
    case .failed(let error): lines += ["\(error.description.printable)", "→ \(error.help)"]
    case .refused(let reason): lines.append(reason.printable)
    case .unchanged:
      let rest = plan.findings.filter { !plan.needsEncoding.contains($0) }
      if plan.findings.isEmpty { lines.append("no findings of its own") }
      let (others, none) = (rest.filter { $0.repair != nil }, rest.filter { $0.repair == nil })
      if !others.isEmpty {
        lines.append("not selected: \(others.ruleNames.joined(separator: ", "))")
      }
      if !none.isEmpty { lines.append("no repair for \(none.ruleNames.joined(separator: ", "))") }
    case .fromEarlierRun:
      lines.append("done already: an earlier run made this file of the same video")
    case .planned, .repaired: break
    }
    if !outcome.repaired.isEmpty {
      lines.append(
        "\(outcome.isRepaired ? "repaired" : "to repair"): \(outcome.repaired.ruleNames.joined(separator: ", "))"
      )
    }
    if let frames = outcome.comparison {
      let count = "\(frames.compared) frame\(frames.compared == 1 ? "" : "s")"
      if frames.method == .packets, frames.differing == 0 {
        lines.append("\(count) from the same packets, all decoded")
      } else {
        lines.append(
          "\(count) compared, "
            + (frames.differing == 0 ? "none differs" : "\(frames.differing) differ"))
      }
    }
    if !plan.needsEncoding.isEmpty {
      lines.append(
        "with --unsafe, which encodes it again: \(plan.needsEncoding.ruleNames.joined(separator: ", "))"
      )
    }
    if outcome.isRepaired {
      let repaired = Set(outcome.repaired.map(\.rule))
      let left = outcome.findings
      // A rule may be kept for one destination and still be broken for another.
      let (others, parts) = (
        left.filter { !repaired.contains($0.rule) }, left.filter { repaired.contains($0.rule) }
      )
      // A swing has a remark that the clip had not.
      let old = Set(plan.findings.map(\.rule))
      let new = others.filter { $0.severity == .info && !old.contains($0.rule) }
      let kept = others.filter { !new.contains($0) }
      if !kept.isEmpty { lines.append("left: \(kept.ruleNames.joined(separator: ", "))") }
      lines += parts.map { "not for \($0.profile): \($0.message.printable)" }
      var printed: Set<String> = []
      let remarks = outcome.remarks + new
      lines += remarks.map(\.message).filter { printed.insert($0).inserted }
        .map { "a remark is left: \($0.printable)" }
    }
    if outcome.isDerived {
      lines.append("the \(plan.key.rawValue) shape is cropped out of the other")
    }
    switch outcome.status {
    case .planned, .repaired:
      if outcome.isDerived { break }
      lines += outcome.changes + outcome.assumptions
      if let frames = outcome.recipe?.frames,
        frames.order == .autoReverse || frames.dissolvedFrames > 0
      {
        lines.append(
          "no part that is long enough loops; artworkd loop lists shorter ones, --shortest allows them"
        )
      }
    case .unchanged, .fromEarlierRun, .refused, .failed: break
    }
    return lines
  }

  /// The last lines, for example `3 clips: 2 repaired, 1 unchanged`, and how many releases are ready.
  ///
  /// - Parameter left: clips that were read and keep a warning or an error of a selected rule.
  package func closing(_ releases: [ReleaseRepair], leaving left: Int) -> String {
    let outcomes = releases.flatMap(\.outcomes)
    var counts = (repaired: 0, done: 0, planned: 0, nothing: 0, refused: 0, failed: 0)
    for outcome in outcomes {
      switch outcome.status {
      case .repaired: counts.repaired += 1
      case .fromEarlierRun: counts.done += 1
      case .planned: counts.planned += 1
      case .unchanged: counts.nothing += 1
      case .refused: counts.refused += 1
      case .failed: counts.failed += 1
      }
    }
    let parts = [
      (counts.repaired, "repaired"), (counts.done, "done already"), (counts.planned, "to repair"),
      (counts.nothing, "unchanged"),
      (counts.refused, "refused"), (counts.failed, "error"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let unsafe = outcomes.count { !$0.plan.needsEncoding.isEmpty }
    var text =
      style.paint("\(outcomes.count) clip\(outcomes.count == 1 ? "" : "s"):", .heading)
      + " " + (parts.isEmpty ? "none found" : parts.joined(separator: ", ")) + "\n"
    if unsafe > 0 {
      text += "\(unsafe) can be repaired with --unsafe, which encodes the video again"
      // No file is replaced.
      text += counts.repaired + counts.done > 0 ? ", into another --output-dir.\n" : ".\n"
    }
    if counts.repaired > 0 {
      text += "A repaired file is a different video: publish it under a new artworkID.\n"
    }
    if releases.contains(where: \.isWhole) {
      return text + ready(releases, isPlanned: counts.planned > 0)
    }
    if left > 0 {
      text += "\(left) with a warning or an error left, so the exit code is not 0.\n"
    }
    return text
  }

  /// The number of releases that are ready, for example `58 of 62 releases are ready.`, and what each of the others needs.
  private func ready(_ releases: [ReleaseRepair], isPlanned: Bool) -> String {
    func with(_ verdict: ReleaseRepair.Verdict) -> [ReleaseRepair] {
      releases.filter { $0.verdict == verdict }
    }
    let (ready, all) = (with(.ready).count, releases.count)
    let text = ReleaseResult.ready(ready, all, isPlanned: isPlanned) + "."
    func list(_ some: [ReleaseRepair], _ words: String, _ role: TextStyle.Role) -> String {
      some.isEmpty
        ? ""
        : style.paint("\(some.count) \(words):", role) + "\n"
          + some.map { release in
            TextWrap(width: width).lines(
              "  \(release.name.printable): "
                + release.reasons.map(\.printable).joined(separator: "; "), indent: 4
            ).joined(separator: "\n    ") + "\n"
          }.joined()
    }
    let you = with(.needYou)
    let lists =
      list(with(.look), "to look at", .link)
      + list(you, you.count == 1 ? "needs you" : "need you", .heading)
    return style.paint(text, ready == all ? .good : .heading)
      + (lists.isEmpty ? "\n" : " " + lists)
  }
}
