/// Makes a video of an animation. The answer's bytes are the file.
struct ImportJob: EncodingJob {
  static let name = "import"

  var request: ImportRequest

  var codec: MovieCodec { request.codec }

  func run(
    on file: InputFile, limits: Limits,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> WorkerAnswer<ImportReport> {
    let made = try Inspector(limits: limits).importMovie(file, request, progress: progress)
    return WorkerAnswer(value: made.report, bytes: made.bytes)
  }

  func outcome(of answer: WorkerAnswer<ImportReport>) -> ImportedMovie? {
    // Another worker inspects it before anybody gets it.
    guard answer.bytes.dropFirst(4).starts(with: "ftyp".utf8) else { return nil }
    return ImportedMovie(report: answer.value, bytes: answer.bytes)
  }
}
