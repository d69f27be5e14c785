/// Makes a file of a part that ``LoopJob`` found: its packets where they allow it, else its frames, encoded again.
package struct LoopCutter: Sendable {
  /// Which part.
  package enum Part: Sendable, Equatable {
    /// The best one: the first that loops, or else the one that dissolves.
    case best
    /// By its number in ``LoopReport/candidates``, from 1.
    case numbered(Int)
    /// The one whose end dissolves into the frames before its start.
    case dissolved
  }

  package struct Cut: Sendable {
    /// The bytes of the new file.
    package var movie: [UInt8]
    package var frames: Range<Int>
    package var isLossless: Bool
    package var inspection: Inspection
    /// What happened to the picture, in sentences; none for a copy.
    package var changes: [String] = []
  }

  private let runner: any JobRunner
  private let candidate: Candidate
  private let container: MovieContainer
  /// Which file is searched, in which state: every job opens it again.
  private let state: FileState?

  /// - Parameter candidate: not searched yet.
  package init(_ runner: any JobRunner, _ candidate: Candidate, into container: MovieContainer) {
    (self.runner, self.candidate, self.container) = (runner, candidate, container)
    state = FileStamp(of: candidate)?.state
  }

  /// Cuts a part out and inspects the new file. Blocks the calling thread.
  ///
  /// A lossless part is copied if the copy shows exactly its frames, at their times; every frame of both is compared.
  ///
  /// - Parameter report: of the candidate.
  /// - Throws: ``InspectionError``: `no-match` without such a part, `not-copied` where the new file is not that part, or
  ///   what reading and encoding throw.
  package func cut(
    _ part: Part, _ report: LoopReport, progress: JobProgress? = nil
  ) throws(InspectionError) -> Cut {
    let chosen = try choice(part, report)
    let cut = try make(chosen, report, progress)
    let count = cut.inspection.facts.frameCount
    guard count == cut.frames.count else {
      throw InspectionError(
        .notCopied, "the new file has \(count) frames instead of \(cut.frames.count)")
    }
    guard FileStamp(of: candidate)?.state == state else {
      throw InspectionError(.changedWhileReading, "the file changed after it was searched")
    }
    return cut
  }

  private func make(
    _ chosen: Choice, _ report: LoopReport, _ progress: JobProgress?
  ) throws(InspectionError) -> Cut {
    if let size = report.importSize { return try drawn(chosen.frames, at: size, progress) }
    let facts = try runner.inspect(candidate, InspectionRequest()).inspection.facts
    if facts.isAnimation {
      let size = PixelSize(width: facts.displayWidth, height: facts.displayHeight).even
      return try drawn(chosen.frames, at: size, progress)
    }
    if chosen.isLossless, let cut = try copied(chosen.frames, facts, report) { return cut }
    if facts.color.isHDR {
      throw InspectionError(.notCopied, "it is HDR, and the new file would be SDR")
    }
    guard facts.canBeEncoded(for: .nowPlaying),
      var request = EncodeRequest(facts, for: [.nowPlaying], ClipEdit(), into: container)
    else {
      throw InspectionError(.notCopied, "a new file of it would show another picture")
    }
    request.frames = chosen.frames
    request.dissolvedFrames = min(chosen.dissolvedFrames, request.mostDissolvedFrames)
    let made = try runner.encode(
      candidate, request, inspecting: InspectionRequest(everyFrame: true), progress: progress)
    return Cut(
      movie: made.movie, frames: chosen.frames, isLossless: false, inspection: made.inspection,
      changes: request.changes(of: facts, newFrameCount: made.inspection.facts.frameCount))
  }

  private struct Choice {
    var frames: Range<Int>
    var dissolvedFrames = 0
    var isLossless = false

    init(_ part: TrimCandidate) {
      (frames, isLossless) = (part.startFrame..<part.endFrame, part.isLossless)
    }

    init(_ fade: CrossFade) {
      (frames, dissolvedFrames) = (fade.startFrame..<fade.endFrame, fade.fadeFrames)
    }
  }

  private func choice(_ part: Part, _ report: LoopReport) throws(InspectionError) -> Choice {
    switch part {
    case .numbered(let number):
      guard report.candidates.indices.contains(number - 1) else {
        throw InspectionError(
          .noMatch, "there is no part \(number): \(report.candidates.count) were found",
          advice: "choose another part, or --count \(number) to list more")
      }
      return Choice(report.candidates[number - 1])
    case .dissolved:
      guard let fade = report.crossFade, report.importSize == nil else {
        throw InspectionError(
          .noMatch, "no part is suggested for a dissolve", advice: "choose a part by its number")
      }
      return Choice(fade)
    case .best:
      let best = report.candidates.first { $0.seam.verdict.loops }
      let fade = report.importSize == nil ? report.crossFade : nil
      if let best, !best.hardlyMoves || fade == nil { return Choice(best) }
      if let fade { return Choice(fade) }
      if let whole = report.whole, whole.seam.verdict.loops { return Choice(whole) }
      throw InspectionError(
        .noMatch, "no part of it loops", advice: "choose a part by its number, with --part")
    }
  }

  /// `nil` where the copy is not exactly this part.
  private func copied(
    _ frames: Range<Int>, _ facts: MediaFacts, _ report: LoopReport
  ) throws(InspectionError) -> Cut? {
    guard
      var request = CopyRequest(
        facts, for: [.nowPlaying], mending: [.lossless], into: container)
    else { return nil }
    request.frames = frames
    let copy: CopiedClip
    do throws(InspectionError) {
      copy = try runner.copy(candidate, request, inspecting: nil)
    } catch {
      if [.notCopied, .videoNotWritten].contains(error.code) { return nil }
      throw error
    }
    var expected = facts
    expected.durationSeconds =
      report.candidates.first { $0.startFrame..<$0.endFrame == frames }?.durationSeconds
      ?? facts.durationSeconds
    guard ClipRepairer.doubt(copy, expected, request) == nil else { return nil }
    return Cut(
      movie: copy.movie, frames: frames, isLossless: true, inspection: try inspected(copy.movie))
  }

  private func drawn(
    _ frames: Range<Int>, at size: PixelSize, _ progress: JobProgress?
  ) throws(InspectionError) -> Cut {
    var request = ImportRequest(size: size)
    (request.start, request.end) = (.frame(frames.lowerBound), .frame(frames.upperBound))
    request.container = container
    let made = try runner.run(ImportJob(request: request), on: candidate, progress: progress)
    return Cut(
      movie: made.bytes, frames: frames, isLossless: false, inspection: try inspected(made.bytes))
  }

  private func inspected(_ movie: [UInt8]) throws(InspectionError) -> Inspection {
    try runner.run(InspectJob(request: InspectionRequest(everyFrame: true)), onBytes: movie)
      .inspection
  }
}
