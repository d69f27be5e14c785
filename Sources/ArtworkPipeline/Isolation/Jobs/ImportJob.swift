import ArtworkModel

/// Makes a video of an animation. The answer's bytes are the file.
struct ImportJob: LongJob {
  static let name = "import"

  var request: ImportRequest

  func cpuSeconds(_ limits: Limits) -> Int { limits.cpuSecondsForEncoding }

  /// libx265 starts one at least.
  var mayStartThreads: Bool { request.codec == .hevc }

  func mostBytes(_ limits: Limits) -> Int64 { Int64(ImportedMovie.mostBytes) }

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
