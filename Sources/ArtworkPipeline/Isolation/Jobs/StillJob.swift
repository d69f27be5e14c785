/// Inspects a picture that lies beside candidates.
struct StillJob: WorkerJob {
  static let name = "still"

  func cpuSeconds(_ limits: Limits) -> Int { limits.cpuSeconds }

  func mostBytes(_ limits: Limits) -> Int64 { 0 }

  func run(
    on file: InputFile, limits: Limits
  ) throws(InspectionError) -> WorkerAnswer<StillPicture> {
    WorkerAnswer(value: try Inspector(limits: limits).inspectStill(file))
  }

  func outcome(of answer: WorkerAnswer<StillPicture>) -> StillPicture? {
    answer.value.width > 0 && answer.value.height > 0 ? answer.value : nil
  }
}
