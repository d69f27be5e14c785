/// Tries everything that the sandbox forbids. It does not read its file.
struct TrialJob: Job {
  static let name = "trial"

  func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<SandboxTrial> {
    JobAnswer(value: .perform())
  }

  func outcome(of answer: JobAnswer<SandboxTrial>) -> SandboxTrial? { answer.value }
}
