/// Makes the other variant of a candidate. The answer's bytes are the movie.
package struct DeriveJob: EncodingJob {
  package static let name = "derive"

  package var request: DeriveRequest

  package init(request: DeriveRequest) { self.request = request }

  package var codec: MovieCodec { request.keepsHDR ? .hevc : .h264 }

  package func mostBytes(_ limits: Limits) -> Int64 {
    request.onlyPlans ? 0 : Int64(ImportedMovie.mostBytes)
  }

  package func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<DeriveReport> {
    let made = try file.withClip(limits: limits) { clip throws(InspectionError) in
      try clip.derive(request, mostBytes: ImportedMovie.mostBytes, progress: progress)
    }
    return JobAnswer(value: made.report, bytes: made.bytes)
  }

  /// What the movie holds is for another worker to find out.
  package func outcome(of answer: JobAnswer<DeriveReport>) -> DerivedClip? {
    let report = answer.value
    let windows = [report.window, report.center] + [report.runnerUp].compactMap(\.self)
    guard windows.allSatisfy({ $0.x >= 0 && $0.y >= 0 && $0.width > 0 && $0.height > 0 }),
      report.frameCount >= 0,
      answer.bytes.isEmpty == request.onlyPlans
    else { return nil }
    return DerivedClip(report: report, movie: answer.bytes)
  }
}
