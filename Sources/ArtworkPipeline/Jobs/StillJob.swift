/// Inspects a picture that lies beside candidates.
package struct StillJob: Job {
  package static let name = "still"

  package init() {}

  package func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<StillPicture> {
    JobAnswer(value: try file.readStill(limits: limits))
  }

  package func outcome(of answer: JobAnswer<StillPicture>) -> StillPicture? {
    answer.value.width > 0 && answer.value.height > 0 ? answer.value : nil
  }
}
