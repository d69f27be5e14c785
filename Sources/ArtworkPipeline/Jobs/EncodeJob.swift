/// Encodes a candidate again. The answer's bytes are the movie.
package struct EncodeJob: EncodingJob {
  package static let name = "encode"

  package var request: EncodeRequest

  package init(request: EncodeRequest) { self.request = request }

  package var codec: MovieCodec { request.codec }

  package func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<NoValue> {
    let bytes = try file.withClip(limits: limits) { clip throws(InspectionError) in
      try clip.encode(request, mostBytes: ImportedMovie.mostBytes, progress: progress)
    }
    return JobAnswer(value: NoValue(), bytes: bytes)
  }

  /// What the movie holds is for another worker to find out.
  package func outcome(of answer: JobAnswer<NoValue>) -> [UInt8]? {
    answer.bytes.isEmpty ? nil : answer.bytes
  }
}
