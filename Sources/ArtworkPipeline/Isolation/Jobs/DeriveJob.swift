/// Makes the other variant of a candidate. The answer's bytes are the movie.
struct DeriveJob: EncodingJob {
  static let name = "derive"

  var request: DeriveRequest

  var codec: MovieCodec { request.keepsHDR ? .hevc : .h264 }

  func mostBytes(_ limits: Limits) -> Int64 {
    request.onlyPlans ? 0 : Int64(ImportedMovie.mostBytes)
  }

  func run(
    on file: InputFile, limits: Limits,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> WorkerAnswer<DeriveReport> {
    let made = try Inspector(limits: limits).derive(file, request, progress: progress)
    return WorkerAnswer(value: made.report, bytes: made.bytes)
  }

  /// What the movie holds is for another worker to find out.
  func outcome(of answer: WorkerAnswer<DeriveReport>) -> DerivedClip? {
    let report = answer.value
    guard report.window.width > 0, report.window.height > 0, report.frameCount >= 0,
      answer.bytes.isEmpty == request.onlyPlans
    else { return nil }
    return DerivedClip(report: report, movie: answer.bytes)
  }
}
