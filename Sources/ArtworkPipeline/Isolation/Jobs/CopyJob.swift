/// Copies a candidate's video into a new movie. The answer's bytes are the times of its frames, then the movie.
struct CopyJob: WorkerJob {
  static let name = "copy"

  var request: CopyRequest

  struct Reply: Codable, Sendable {
    var frameCount: Int
    var tickNanoseconds: Int64
    /// See ``CopiedPackets/input``.
    var input: String?
  }

  func cpuSeconds(_ limits: Limits) -> Int { limits.cpuSeconds }

  func mostBytes(_ limits: Limits) -> Int64 {
    request.mostBytes(limits).addingClamped(ShownFrames.mostBytes(limits))
  }

  func run(on file: InputFile, limits: Limits) throws(InspectionError) -> WorkerAnswer<Reply> {
    let copied = try Inspector(limits: limits).copy(file, request)
    return WorkerAnswer(
      value: Reply(
        frameCount: copied.shown.frames.count, tickNanoseconds: copied.shown.tickNanoseconds,
        input: copied.input),
      bytes: copied.shown.bytes + copied.movie)
  }

  /// What the movie holds is for another worker to find out.
  func outcome(of answer: WorkerAnswer<Reply>) -> CopiedPackets? {
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
