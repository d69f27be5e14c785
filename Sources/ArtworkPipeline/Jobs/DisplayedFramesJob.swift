/// Decodes every frame of a candidate. The answer's bytes are their digests and times.
package struct DisplayedFramesJob: Job {
  package static let name = "displayed-frames"

  package init() {}

  package struct Reply: Codable, Sendable {
    var tickNanoseconds: Int64
    var facts: MediaFacts
  }

  package func cpuSeconds(_ limits: Limits) -> Int { limits.cpuSecondsForEverything }

  package func mostBytes(_ limits: Limits) -> Int64 { DisplayedFrames.mostBytes(limits) }

  package func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<Reply> {
    let displayed = try file.withClip(limits: limits) { clip throws(InspectionError) in
      try clip.displayed()
    }
    return JobAnswer(
      value: Reply(tickNanoseconds: displayed.frames.tickNanoseconds, facts: displayed.facts),
      bytes: displayed.frames.bytes)
  }

  package func outcome(of answer: JobAnswer<Reply>) -> DisplayedClip? {
    DisplayedFrames(bytes: answer.bytes, tickNanoseconds: answer.value.tickNanoseconds)
      .map { DisplayedClip(frames: $0, facts: answer.value.facts) }
  }
}
