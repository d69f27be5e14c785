/// Reads the container and decodes the first frame of a candidate.
struct GlanceJob: WorkerJob {
  static let name = "glance"

  struct Reply: Codable, Sendable {
    /// `nil` where only decoding can tell.
    var facts: MediaFacts?
  }

  func cpuSeconds(_ limits: Limits) -> Int { limits.cpuSeconds }

  func mostBytes(_ limits: Limits) -> Int64 { 0 }

  func run(on file: InputFile, limits: Limits) throws(InspectionError) -> WorkerAnswer<Reply> {
    WorkerAnswer(value: Reply(facts: try Inspector(limits: limits).glance(at: file)))
  }

  /// Whether the facts are true is for later workers to find out.
  func outcome(of answer: WorkerAnswer<Reply>) -> MediaFacts?? {
    .some(answer.value.facts)
  }
}
