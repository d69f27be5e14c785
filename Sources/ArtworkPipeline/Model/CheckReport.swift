/// Everything that a run has to tell: what every output format is made of.
public struct CheckReport: Sendable {
  /// In the order of the candidates.
  public var results: [CandidateReport]
  public var summary: Summary
  /// What was judged for, in the order in which it was asked for; at least one.
  public var profiles: [Profile]

  public init(results: [CandidateReport], summary: Summary, profiles: [Profile]) {
    self.results = results
    self.summary = summary
    self.profiles = profiles
  }
}
