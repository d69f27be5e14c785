/// Reads the container and decodes the first frame of a candidate, or draws the first and the last of an animation.
package struct QuickScanJob: Job {
  package static let name = "quick-scan"

  package init() {}

  package struct Reply: Codable, Sendable {
    /// `nil` if only decoding can determine it.
    var facts: MediaFacts?
  }

  package func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<Reply> {
    if let pictures = try PictureFile.open(file, limits: limits) {
      var facts = try LogCapture.scope { () throws(InspectionError) in try pictures.quickScan() }
      facts.fileBytes = file.size
      return JobAnswer(value: Reply(facts: facts))
    }
    let facts = try file.withClip(limits: limits) { clip throws(InspectionError) in
      try clip.scan()?.facts
    }
    return JobAnswer(value: Reply(facts: facts))
  }

  /// Whether the facts are true is for later workers to find out.
  package func outcome(of answer: JobAnswer<Reply>) -> MediaFacts?? {
    .some(answer.value.facts)
  }
}
