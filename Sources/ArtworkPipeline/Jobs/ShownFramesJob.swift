/// Decodes every frame of a candidate. The answer's bytes are their digests and times.
package struct ShownFramesJob: Job {
  package static let name = "shown-frames"

  package init() {}

  package struct Reply: Codable, Sendable {
    var tickNanoseconds: Int64
    var facts: MediaFacts
  }

  package func cpuSeconds(_ limits: Limits) -> Int { limits.cpuSecondsForEverything }

  package func mostBytes(_ limits: Limits) -> Int64 { ShownFrames.mostBytes(limits) }

  package func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<Reply> {
    let shown = try file.withClip(limits: limits) { clip throws(InspectionError) in
      try clip.shown()
    }
    return JobAnswer(
      value: Reply(tickNanoseconds: shown.frames.tickNanoseconds, facts: shown.facts),
      bytes: shown.frames.bytes)
  }

  package func outcome(of answer: JobAnswer<Reply>) -> ShownClip? {
    ShownFrames(bytes: answer.bytes, tickNanoseconds: answer.value.tickNanoseconds)
      .map { ShownClip(frames: $0, facts: answer.value.facts) }
  }
}
