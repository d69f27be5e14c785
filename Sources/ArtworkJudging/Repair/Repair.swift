/// What became of a release, or of a clip that belongs to none.
package struct Repair: Sendable {
  /// A file that was made.
  package struct NewFile: Sendable {
    package var path: FilePath
    package var bytes: [UInt8]
    /// The file that it was made of.
    package var source: Candidate
    /// The file whose place it takes; `nil` for a further one.
    package var replaces: FilePath?
    /// The place of its outcome; `nil` for a preview.
    package var outcome: Int?

    package init(
      path: FilePath, bytes: [UInt8], source: Candidate, replaces: FilePath? = nil, outcome: Int? = nil
    ) {
      (self.path, self.bytes, self.source) = (path, bytes, source)
      (self.replaces, self.outcome) = (replaces, outcome)
    }
  }

  /// The artworkID, or the path of a clip without a release.
  package var name: String
  package var outcomes: [RepairOutcome]
  /// Whether all of its files were repaired together, and not one that was named.
  package var isWhole = false
  /// The reports on its files as they are now.
  package var reports: [CandidateReport]
  /// Why the files beside new ones could not be placed; `nil` if they are.
  package var incompleteness: InspectionError?
  /// The files that others took the place of.
  package var replaced: [FilePath] = []

  package init(
    name: String, outcomes: [RepairOutcome], isWhole: Bool = false, reports: [CandidateReport], replaced: [FilePath] = []
  ) {
    (self.name, self.outcomes, self.isWhole) = (name, outcomes, isWhole)
    (self.reports, self.replaced) = (reports, replaced)
  }

  /// Warnings and errors that are left.
  package var left: [Finding] { reports.flatMap(\.findings).filter { $0.severity > .info } }

  /// What a release is after its repair. Only here is that decided.
  package enum Verdict: Sendable {
    /// Nothing is left to do.
    case ready
    /// Nothing counts against it, but a person may deny what was made.
    case look
    case needYou
  }

  package var verdict: Verdict {
    guard left.isEmpty, error == nil else { return .needYou }
    return doubts.isEmpty ? .ready : .look
  }

  /// What to look at, in sentences.
  package var doubts: [String] {
    let seen = reports.compactMap(\.inspection)
    var doubts = outcomes.flatMap(\.doubts)
    if seen.contains(where: { Rules.leavesDoubt($0) }) {
      doubts.append("only its ends were read, and they may flash: check --thorough reads it all")
    }
    doubts += reports.flatMap(\.findings).filter { $0.rule == DimensionsRule.id }
      .map { "\($0.message): \($0.measured ?? "")" }
    return doubts.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Why a file could not be read or written.
  package var error: InspectionError? {
    incompleteness
      ?? outcomes.lazy.compactMap { outcome in
        if case .failed(let error) = outcome.status { error } else { nil }
      }.first
  }

  /// What somebody has to do or to look at, in words.
  package var reasons: [String] {
    var words: [String] = []
    for outcome in outcomes {
      if case .refused(let reason) = outcome.status { words.append(reason) }
    }
    words += [error?.message].compactMap(\.self)
    let encoding = outcomes.flatMap(\.plan.needsEncoding)
    if words.isEmpty, !encoding.isEmpty {
      words = [
        "--unsafe repairs \(encoding.ruleNames.joined(separator: ", ")), and the picture changes"
      ]
    }
    if words.isEmpty { words = left.map(\.message) }
    if words.isEmpty { words = doubts }
    return words.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
