/// Makes a video of an animation. The answer's bytes are the file.
public struct ImportJob: EncodingJob {
  public static let name = "import"

  public var request: ImportRequest

  public init(request: ImportRequest) { self.request = request }

  public var codec: MovieCodec { request.codec }

  public func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<ImportReport> {
    let made = try request.make(from: file, limits: limits, progress: progress)
    return JobAnswer(value: made.report, bytes: made.bytes)
  }

  public func outcome(of answer: JobAnswer<ImportReport>) -> ImportedMovie? {
    // Another worker inspects it before anybody gets it.
    guard answer.bytes.dropFirst(4).starts(with: "ftyp".utf8) else { return nil }
    return ImportedMovie(report: answer.value, bytes: answer.bytes)
  }
}
