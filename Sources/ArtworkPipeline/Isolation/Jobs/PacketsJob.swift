/// Reads every packet of a candidate. The answer's bytes are the times of its frames.
struct PacketsJob: WorkerJob {
  static let name = "packets"

  struct Reply: Codable, Sendable {
    /// `nil` where only decoding can tell.
    var input: String?
    var tickNanoseconds: Int64
  }

  func cpuSeconds(_ limits: Limits) -> Int { limits.cpuSeconds }

  func mostBytes(_ limits: Limits) -> Int64 { ShownFrames.mostBytes(limits) }

  func run(on file: InputFile, limits: Limits) throws(InspectionError) -> WorkerAnswer<Reply> {
    let read = try Inspector(limits: limits).packets(in: file)
    return WorkerAnswer(
      value: Reply(input: read?.input, tickNanoseconds: read?.shown.tickNanoseconds ?? 0),
      bytes: read?.shown.bytes ?? [])
  }

  func outcome(of answer: WorkerAnswer<Reply>) -> ReadPackets?? {
    guard let input = answer.value.input else { return .some(nil) }
    return ShownFrames(bytes: answer.bytes, tickNanoseconds: answer.value.tickNanoseconds)
      .map { ReadPackets(shown: $0, input: input) }
  }
}
