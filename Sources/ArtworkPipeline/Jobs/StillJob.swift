/// Inspects a picture that lies beside candidates.
package struct StillJob: Job {
  package static let name = "still"

  package init() {}

  package func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<StillPicture> {
    let still = try file.withClip(limits: limits, formats: ContainerFormat.stills) {
      clip throws(InspectionError) in
      try clip.readStill()
    }
    return JobAnswer(value: still)
  }

  package func outcome(of answer: JobAnswer<StillPicture>) -> StillPicture? {
    answer.value.width > 0 && answer.value.height > 0 ? answer.value : nil
  }
}
