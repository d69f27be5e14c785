/// The results of a run, from which every output format is made.
public struct CheckReport: Sendable {
  /// Results in the order of the candidates.
  public var results: [CandidateReport]
  public var summary: Summary
  /// The profiles in the order in which the caller named them; at least one.
  public var profiles: [Profile]

  public init(results: [CandidateReport], summary: Summary, profiles: [Profile]) {
    self.results = results
    self.summary = summary
    self.profiles = profiles
  }
}
