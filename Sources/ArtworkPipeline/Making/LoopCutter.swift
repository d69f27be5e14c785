/// Makes a file of a part that ``LoopJob`` found: its packets if possible, else its frames, encoded again.
package struct LoopCutter: Sendable {
  /// The choice of the part to cut.
  package enum Part: Sendable, Equatable {
    /// The best part: the first that loops, or else the one that dissolves.
    case best
    /// The candidate with this number in ``LoopReport/candidates``, from 1.
    case numbered(Int)
    /// The part whose end dissolves into the frames before its start.
    case dissolved
  }

  package struct Cut: Sendable {
    /// The bytes of the new file.
    package var movie: [UInt8]
    package var frames: Range<Int>
    package var isLossless: Bool
    package var inspection: Inspection
    /// The changes to the picture, in sentences; none for a copy.
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
  /// A lossless part is copied if the copy has exactly its frames, at the same times; every frame of both is
  /// compared.
  ///
  /// - Parameter report: of the candidate.
  /// - Throws: ``InspectionError``: `no-match` without such a part, `not-copied` if the new file is not that part, or
  ///   errors of reading and encoding.
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
    _ part: LoopPart, _ report: LoopReport, _ progress: JobProgress?
  ) throws(InspectionError) -> Cut {
    let facts = try runner.inspect(candidate, InspectionRequest()).inspection.facts
    if part.isLossless, let cut = try copied(part.frames, facts, report) { return cut }
    if facts.color.isHDR {
      throw InspectionError(.notCopied, "it is HDR, and the new file would be SDR")
    }
    guard facts.canBeEncoded(for: .nowPlaying),
      let recipe = Recipe(encoding: facts, for: [.nowPlaying], into: container)?.showing(part)
    else {
      throw InspectionError(.notCopied, "a new file would differ from the video")
    }
    let made = try runner.encode(
      candidate, recipe, inspecting: InspectionRequest(everyFrame: true), progress: progress)
    return Cut(
      movie: made.movie, frames: part.frames, isLossless: false, inspection: made.inspection,
      changes: recipe.changes(of: facts, new: made.inspection.facts))
  }

  private func choice(_ part: Part, _ report: LoopReport) throws(InspectionError) -> LoopPart {
    switch part {
    case .numbered(let number):
      guard report.candidates.indices.contains(number - 1) else {
        throw InspectionError(
          .noMatch, "there is no part \(number): \(report.candidates.count) were found",
          advice: "choose another part, or --count \(number) to list more")
      }
      return LoopPart(report.candidates[number - 1])
    case .dissolved:
      guard let fade = report.crossFade else {
        throw InspectionError(
          .noMatch, "no part is suggested for a dissolve", advice: "choose a part by its number")
      }
      return LoopPart(fade)
    case .best:
      let whole = report.whole.flatMap { $0.seam.verdict.loops ? LoopPart($0) : nil }
      guard let best = report.parts().first(where: { !$0.swings }) ?? whole else {
        throw InspectionError(
          .noMatch, "no part of it loops", advice: "choose a part by its number, with --part")
      }
      return best
    }
  }

  /// `nil` if the copy is not exactly this part.
  private func copied(
    _ frames: Range<Int>, _ facts: MediaFacts, _ report: LoopReport
  ) throws(InspectionError) -> Cut? {
    guard
      var recipe = Recipe(
        copying: facts, for: [.nowPlaying], repairing: [.lossless], into: container)
    else { return nil }
    recipe.frames = FrameSelection(frames)
    let copy: CopiedClip
    do throws(InspectionError) {
      copy = try runner.copy(candidate, recipe, inspecting: nil)
    } catch {
      if [.notCopied, .videoNotWritten].contains(error.code) { return nil }
      throw error
    }
    var expected = facts
    expected.durationSeconds =
      report.candidates.first { $0.startFrame..<$0.endFrame == frames }?.durationSeconds
      ?? facts.durationSeconds
    guard ClipRepairer.rejectionReason(copy, expected, recipe) == nil else { return nil }
    let inspection = try runner.run(
      InspectJob(request: InspectionRequest(everyFrame: true)), onBytes: copy.movie
    ).inspection
    return Cut(movie: copy.movie, frames: frames, isLossless: true, inspection: inspection)
  }
}
