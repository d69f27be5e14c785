/// Makes a file from a candidate by a recipe. The bytes of the answer are the times of the source's frames if it is a
/// copy, then the file; for a plan, the picture of its crop.
package struct MakeJob: Job {
  package static let name = "make"

  package var recipe: Recipe
  /// Whether to make all choices but no file.
  package var onlyPlans: Bool

  package init(recipe: Recipe, onlyPlans: Bool = false) {
    (self.recipe, self.onlyPlans) = (recipe, onlyPlans)
  }

  package struct Reply: Codable, Sendable {
    struct Source: Codable {
      var frameCount: Int
      var tickNanoseconds: Int64
      /// See ``ReadPackets/input``.
      var input: String?
    }

    var report: EncodingReport?
    var source: Source?
  }

  package func cpuSeconds(_ limits: Limits) -> Int {
    recipe.isCopy ? limits.cpuSeconds : limits.cpuSecondsForEncoding
  }

  /// libx265 starts one at least.
  package var mayStartThreads: Bool { recipe.encoding?.codec == .hevc }

  package func mostBytes(_ limits: Limits) -> Int64 {
    if onlyPlans { return Int64(ReportImagesLayout.mostBytes) }
    let movie = recipe.mostBytes(limits)
    return recipe.isCopy ? movie.addingClamped(DisplayedFrames.mostBytes(limits)) : movie
  }

  package func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<Reply> {
    let made = try recipe.make(
      from: file, limits: limits, onlyPlans: onlyPlans, progress: progress)
    let source = made.source.map {
      Reply.Source(
        frameCount: $0.displayed.frames.count, tickNanoseconds: $0.displayed.tickNanoseconds,
        input: $0.input)
    }
    return JobAnswer(
      value: Reply(report: made.report, source: source),
      bytes: (made.source?.displayed.bytes ?? made.picture) + made.bytes)
  }

  /// The contents of the file are inspected by another worker.
  package func outcome(of answer: JobAnswer<Reply>) -> MadeFile? {
    guard recipe.isCopy else {
      guard let report = answer.value.report, isPossible(report) else { return nil }
      if onlyPlans {
        guard answer.bytes.isEmpty || report.crop != nil && ReportImages.isJPEG(answer.bytes) else {
          return nil
        }
        return MadeFile(bytes: [], report: report, picture: answer.bytes)
      }
      guard isOfItsFormat(answer.bytes) else { return nil }
      return MadeFile(bytes: answer.bytes, report: report)
    }
    guard let source = answer.value.source, source.frameCount > 0,
      source.frameCount < answer.bytes.count / DisplayedFrames.frameBytes
    else { return nil }
    let times = source.frameCount * DisplayedFrames.frameBytes
    guard isMovie(answer.bytes[times...]),
      let displayed = DisplayedFrames(
        bytes: Array(answer.bytes[..<times]), tickNanoseconds: source.tickNanoseconds)
    else { return nil }
    return MadeFile(
      bytes: Array(answer.bytes[times...]),
      source: ReadPackets(displayed: displayed, input: source.input))
  }

  private func isOfItsFormat(_ bytes: [UInt8]) -> Bool {
    if case .animation(let picture) = recipe.content { return picture.format.begins(bytes) }
    return isMovie(bytes[...])
  }

  private func isMovie(_ bytes: ArraySlice<UInt8>) -> Bool {
    recipe.container == .webm
      ? FileFormat.webm.begins(bytes) : bytes.dropFirst(4).starts(with: "ftyp".utf8)
  }

  private func isPossible(_ report: EncodingReport) -> Bool {
    let windows = report.crop.map { [$0.window, $0.center] + [$0.runnerUp].compactMap(\.self) }
    return report.frameCount >= 0
      && (windows ?? []).allSatisfy { $0.x >= 0 && $0.y >= 0 && $0.width > 0 && $0.height > 0 }
  }
}
