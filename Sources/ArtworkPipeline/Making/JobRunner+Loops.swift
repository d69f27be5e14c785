/// Loops of clips: searched for, and cut out.
extension JobRunner {
  /// Searches a clip for the parts that loop. Decodes every frame, and blocks the calling thread.
  ///
  /// - Parameter withPictures: also draw the seam of the best loop.
  package func loops(
    in candidate: Candidate, _ request: TrimRequest, withPictures: Bool = false,
    progress: JobProgress? = nil
  ) throws(InspectionError) -> LoopCandidates {
    let state = FileStamp(of: candidate)?.state
    var found = try run(
      LoopJob(request: request, withPictures: withPictures), on: candidate, progress: progress)
    found.report.searched = state
    return found
  }

  /// Makes a file of a part: of its packets if possible, else of its frames, encoded again. Blocks the calling thread.
  ///
  /// A lossless part is copied if the copy has exactly its frames, at the same times; every frame of both is
  /// compared.
  ///
  /// - Parameter report: of the candidate.
  /// - Throws: ``InspectionError``: `no-match` without such a part, `not-copied` if the new file is not that part, or
  ///   errors of reading and encoding.
  package func cut(
    _ choice: LoopReport.Choice, of candidate: Candidate, _ report: LoopReport,
    into container: MovieContainer, progress: JobProgress? = nil
  ) throws(InspectionError) -> MadeVideo {
    let part = try report.part(choice)
    let facts = try facts(of: candidate)
    let copy = try copied(part, of: candidate, facts, report, into: container)
    let video =
      if let copy { copy } else {
        try encoded(part, of: candidate, facts, into: container, progress)
      }
    let count = video.inspection.facts.frameCount
    guard count == part.frames.count else {
      throw InspectionError(
        .notCopied, "the new file has \(count) frames instead of \(part.frames.count)")
    }
    // Every job opens the file again.
    guard FileStamp(of: candidate)?.state == report.searched else {
      throw InspectionError(.changedWhileReading, "the file changed after it was searched")
    }
    return video
  }

  private func encoded(
    _ part: LoopPart, of candidate: Candidate, _ facts: MediaFacts, into container: MovieContainer,
    _ progress: JobProgress?
  ) throws(InspectionError) -> MadeVideo {
    if facts.color.isHDR {
      throw InspectionError(.notCopied, "it is HDR, and the new file would be SDR")
    }
    guard facts.canBeEncoded(for: .nowPlaying),
      let recipe = Recipe(encoding: facts, for: [.nowPlaying], into: container)?.showing(part)
    else {
      throw InspectionError(.notCopied, "a new file would differ from the video")
    }
    let made = try encode(
      candidate, recipe, inspecting: InspectionRequest(everyFrame: true), progress: progress)
    var video = MadeVideo(made)
    video.frames = part.frames
    video.changes = recipe.changes(of: facts, new: made.inspection.facts)
    return video
  }

  /// `nil` unless a copy is exactly this part.
  private func copied(
    _ part: LoopPart, of candidate: Candidate, _ facts: MediaFacts, _ report: LoopReport,
    into container: MovieContainer
  ) throws(InspectionError) -> MadeVideo? {
    guard part.isLossless,
      var recipe = Recipe(
        copying: facts, for: [.nowPlaying], repairing: [.lossless], into: container)
    else { return nil }
    recipe.frames = FrameSelection(part.frames)
    let copy: CopiedClip
    do throws(InspectionError) {
      copy = try self.copy(candidate, recipe, inspecting: nil)
    } catch {
      if [.notCopied, .videoNotWritten].contains(error.code) { return nil }
      throw error
    }
    var expected = facts
    expected.durationSeconds =
      report.candidates.first { $0.startFrame..<$0.endFrame == part.frames }?.durationSeconds
      ?? facts.durationSeconds
    guard Repairer.rejectionReason(copy, expected, recipe) == nil else { return nil }
    let inspection = try run(
      InspectJob(request: InspectionRequest(everyFrame: true)), onBytes: copy.movie
    ).inspection
    var video = MadeVideo(copy.movie, inspection)
    video.frames = part.frames
    return video
  }
}

extension LoopReport {
  /// - Throws: `no-match` if there is no such part.
  fileprivate func part(_ choice: Choice) throws(InspectionError) -> LoopPart {
    switch choice {
    case .numbered(let number):
      guard candidates.indices.contains(number - 1) else {
        throw InspectionError(
          .noMatch, "there is no part \(number): \(candidates.count) were found",
          advice: "choose another part, or --count \(number) to list more")
      }
      return LoopPart(candidates[number - 1])
    case .dissolved:
      guard let crossFade else {
        throw InspectionError(
          .noMatch, "no part is suggested for a dissolve", advice: "choose a part by its number")
      }
      return LoopPart(crossFade)
    case .best:
      let whole = whole.flatMap { $0.seam.verdict.loops ? LoopPart($0) : nil }
      guard let best = parts().first(where: { !$0.swings }) ?? whole else {
        throw InspectionError(
          .noMatch, "no part of it loops", advice: "choose a part by its number, with --part")
      }
      return best
    }
  }
}
