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
  }

  private let runner: any JobRunner
  private let container: MovieContainer

  package init(_ runner: any JobRunner, into container: MovieContainer) {
    (self.runner, self.container) = (runner, container)
  }

  /// Cuts a part out and inspects the new file. Blocks the calling thread.
  ///
  /// A lossless part is copied if the copy shows exactly its frames, at their times; every frame of both is compared.
  ///
  /// - Parameter report: of the candidate.
  /// - Throws: ``InspectionError``: `no-match` without such a part, `not-copied` where the new file is not that part, or
  ///   what reading and encoding throw.
  package func cut(
    _ part: Part, of candidate: Candidate, _ report: LoopReport, progress: JobProgress? = nil
  ) throws(InspectionError) -> Cut {
    let chosen = try choice(part, report)
    if let size = report.importSize {
      return try drawn(chosen.frames, of: candidate, at: size, progress)
    }
    let facts = try runner.inspect(candidate, InspectionRequest()).inspection.facts
    if chosen.isLossless, let cut = try? copied(chosen.frames, of: candidate, facts, report) {
      return cut
    }
    guard var request = EncodeRequest(facts, for: [.nowPlaying], ClipEdit()) else {
      throw InspectionError(.notCopied, "no encoder makes a file of its kind")
    }
    (request.container, request.frames) = (container, chosen.frames)
    request.dissolvedFrames = chosen.dissolvedFrames
    let made = try runner.encode(
      candidate, request, inspecting: InspectionRequest(everyFrame: true), progress: progress)
    return try checked(
      Cut(
        movie: made.movie, frames: chosen.frames, isLossless: false, inspection: made.inspection))
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
      guard let fade else {
        throw InspectionError(
          .noMatch, "no part of it loops", advice: "choose a part by its number, with --part")
      }
      return Choice(fade)
    }
  }

  private func copied(
    _ frames: Range<Int>, of candidate: Candidate, _ facts: MediaFacts, _ report: LoopReport
  ) throws(InspectionError) -> Cut {
    guard var request = CopyRequest(facts, for: [.nowPlaying], mending: [.lossless]) else {
      throw InspectionError(.notCopied, "a copy would not play")
    }
    (request.container, request.frames) = (container, frames)
    let copy = try runner.copy(candidate, request, inspecting: nil)
    var expected = facts
    expected.durationSeconds =
      report.candidates.first { $0.startFrame..<$0.endFrame == frames }?.durationSeconds ?? 0
    if let doubt = ClipRepairer.doubt(copy, expected, request) {
      throw InspectionError(.notCopied, doubt)
    }
    let inspection = try runner.run(
      InspectJob(request: InspectionRequest(everyFrame: true)), onBytes: copy.movie
    ).inspection
    return try checked(
      Cut(movie: copy.movie, frames: frames, isLossless: true, inspection: inspection))
  }

  private func drawn(
    _ frames: Range<Int>, of candidate: Candidate, at size: PixelSize, _ progress: JobProgress?
  ) throws(InspectionError) -> Cut {
    var request = ImportRequest(size: size)
    (request.start, request.end) = (.frame(frames.lowerBound), .frame(frames.upperBound))
    request.container = container
    let made = try runner.run(ImportJob(request: request), on: candidate, progress: progress)
    let inspection = try runner.run(
      InspectJob(request: InspectionRequest(everyFrame: true)), onBytes: made.bytes
    ).inspection
    return Cut(movie: made.bytes, frames: frames, isLossless: false, inspection: inspection)
  }

  private func checked(_ cut: Cut) throws(InspectionError) -> Cut {
    let count = cut.inspection.facts.frameCount
    guard count == cut.frames.count else {
      throw InspectionError(
        .notCopied, "the new file has \(count) frames instead of \(cut.frames.count)")
    }
    return cut
  }
}
