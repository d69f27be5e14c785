/// Encodes a candidate again. The answer's bytes are the movie.
struct EncodeJob: EncodingJob {
  static let name = "encode"

  var request: EncodeRequest

  struct Reply: Codable, Sendable {}

  var codec: MovieCodec { request.codec }

  func run(
    on file: InputFile, limits: Limits,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> WorkerAnswer<Reply> {
    WorkerAnswer(
      value: Reply(),
      bytes: try Inspector(limits: limits).encode(file, request, progress: progress))
  }

  /// What the movie holds is for another worker to find out.
  func outcome(of answer: WorkerAnswer<Reply>) -> [UInt8]? {
    answer.bytes.isEmpty ? nil : answer.bytes
  }
}
