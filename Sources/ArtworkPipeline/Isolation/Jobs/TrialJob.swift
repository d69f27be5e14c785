/// Tries what the sandbox forbids. It reads nothing of its file.
struct TrialJob: WorkerJob {
  static let name = "trial"

  func cpuSeconds(_ limits: Limits) -> Int { limits.cpuSeconds }

  func mostBytes(_ limits: Limits) -> Int64 { 0 }

  func run(
    on file: InputFile, limits: Limits
  ) throws(InspectionError) -> WorkerAnswer<SandboxTrial> {
    WorkerAnswer(value: .perform())
  }

  func outcome(of answer: WorkerAnswer<SandboxTrial>) -> SandboxTrial? { answer.value }
}
