/// Copies a candidate's video into a new movie. The answer's bytes are the times of its frames, then the movie.
package struct CopyJob: Job {
  package static let name = "copy"

  package var request: CopyRequest

  package init(request: CopyRequest) { self.request = request }

  package struct Reply: Codable, Sendable {
    var frameCount: Int
    var tickNanoseconds: Int64
    /// See ``CopiedPackets/input``.
    var input: String?
  }

  package func mostBytes(_ limits: Limits) -> Int64 {
    request.mostBytes(limits).addingClamped(ShownFrames.mostBytes(limits))
  }

  package func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<Reply> {
    let copied = try file.withClip(limits: limits) { clip throws(InspectionError) in
      try clip.copy(request)
    }
    return JobAnswer(
      value: Reply(
        frameCount: copied.shown.frames.count, tickNanoseconds: copied.shown.tickNanoseconds,
        input: copied.input),
      bytes: copied.shown.bytes + copied.movie)
  }

  /// What the movie holds is for another worker to find out.
  package func outcome(of answer: JobAnswer<Reply>) -> CopiedPackets? {
    let count = answer.value.frameCount
    guard count > 0, count < answer.bytes.count / ShownFrames.frameBytes else { return nil }
    let times = count * ShownFrames.frameBytes
    guard
      let shown = ShownFrames(
        bytes: Array(answer.bytes[..<times]), tickNanoseconds: answer.value.tickNanoseconds)
    else { return nil }
    return CopiedPackets(
      movie: Array(answer.bytes[times...]), shown: shown, input: answer.value.input)
  }
}
