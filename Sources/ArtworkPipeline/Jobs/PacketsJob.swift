/// Reads every packet of a candidate. The answer's bytes are the times of its frames.
package struct PacketsJob: Job {
  package static let name = "packets"

  package init() {}

  package struct Reply: Codable, Sendable {
    /// `nil` if only decoding can determine it.
    var input: String?
    var tickNanoseconds: Int64
  }

  package func mostBytes(_ limits: Limits) -> Int64 { DisplayedFrames.mostBytes(limits) }

  package func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<Reply> {
    let read = try file.withClip(limits: limits) { clip throws(InspectionError) in
      try clip.packets()
    }
    return JobAnswer(
      value: Reply(input: read?.input, tickNanoseconds: read?.displayed.tickNanoseconds ?? 0),
      bytes: read?.displayed.bytes ?? [])
  }

  package func outcome(of answer: JobAnswer<Reply>) -> ReadPackets?? {
    guard let input = answer.value.input else { return .some(nil) }
    return DisplayedFrames(bytes: answer.bytes, tickNanoseconds: answer.value.tickNanoseconds)
      .map { ReadPackets(displayed: $0, input: input) }
  }
}
