/// Decodes every frame of a candidate. The answer's bytes are their digests and times.
struct ShownFramesJob: WorkerJob {
  static let name = "shown-frames"

  struct Reply: Codable, Sendable {
    var tickNanoseconds: Int64
    var facts: MediaFacts
  }

  func cpuSeconds(_ limits: Limits) -> Int { limits.cpuSecondsForEverything }

  func mostBytes(_ limits: Limits) -> Int64 { ShownFrames.mostBytes(limits) }

  func run(on file: InputFile, limits: Limits) throws(InspectionError) -> WorkerAnswer<Reply> {
    let shown = try Inspector(limits: limits).shown(in: file)
    return WorkerAnswer(
      value: Reply(tickNanoseconds: shown.frames.tickNanoseconds, facts: shown.facts),
      bytes: shown.frames.bytes)
  }

  func outcome(of answer: WorkerAnswer<Reply>) -> ShownClip? {
    ShownFrames(bytes: answer.bytes, tickNanoseconds: answer.value.tickNanoseconds)
      .map { ShownClip(frames: $0, facts: answer.value.facts) }
  }
}
