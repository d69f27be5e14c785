import ArtworkModel

/// Copies a candidate's video into a new movie. The answer's bytes are the movie.
struct CopyJob: WorkerJob {
  static let name = "copy"

  var request: CopyRequest

  struct Reply: Codable, Sendable {}

  func cpuSeconds(_ limits: Limits) -> Int { limits.cpuSeconds }

  func mostBytes(_ limits: Limits) -> Int64 { request.mostBytes(limits) }

  func run(on file: InputFile, limits: Limits) throws(InspectionError) -> WorkerAnswer<Reply> {
    WorkerAnswer(
      value: Reply(), bytes: try Inspector(limits: limits).copy(file, request))
  }

  /// What the movie holds is for another worker to find out.
  func outcome(of answer: WorkerAnswer<Reply>) -> [UInt8]? {
    answer.bytes.isEmpty ? nil : answer.bytes
  }
}
