import Dispatch
import Synchronization

/// New files of clips. Each is proved before it is returned: a copy is compared with its source, an encoding inspected.
extension JobRunner {
  /// The facts of a file, from its headers and its first frame. It is inspected only if these leave them open. Blocks the
  /// calling thread.
  package func facts(of candidate: Candidate) throws(InspectionError) -> MediaFacts {
    if let facts = try run(QuickScanJob(), on: candidate) { return facts }
    return try inspect(candidate, InspectionRequest()).inspection.facts
  }

  /// Carries out a recipe that copies packets. Blocks the calling thread.
  ///
  /// If the copy has the packets of the clip, the copy is decoded and inspected, frame by frame. Otherwise every
  /// frame of both is decoded, in parallel.
  ///
  /// - Parameter inspecting: the request for inspecting the copy; `nil` to compare the frames in any case.
  /// - Throws: ``InspectionError``: `not-copied` if a copy would differ from the clip, or as
  ///   ``CandidateInspector/inspect(_:_:)``.
  package func copy(
    _ candidate: Candidate, _ recipe: Recipe, inspecting: InspectionRequest?
  ) throws(InspectionError) -> CopiedClip {
    let made = try run(MakeJob(recipe: recipe), on: candidate)
    if let inspecting, let clip = try inspected(made, inspecting) { return clip }
    let decoded = Mutex<Result<DisplayedClip, InspectionError>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    DispatchQueue(label: "artworkd.copy.source").async {
      let result = Result { () throws(InspectionError) in
        try run(DisplayedFramesJob(), on: candidate)
      }
      decoded.withLock { $0 = result }
      isDone.signal()
    }
    // Even if this fails, the other thread ends before its result is released.
    let after = Result { () throws(InspectionError) in
      try run(DisplayedFramesJob(), onBytes: made.bytes)
    }
    isDone.wait()
    guard let source = try decoded.withLock({ $0 })?.get() else {
      throw InspectionError(.workerFailed, "a thread ended without its result")
    }
    let result = try after.get()
    return CopiedClip(
      movie: made.bytes,
      before: source.frames.part(recipe.frames.range(of: source.frames.frames.count)),
      after: result.frames, facts: result.facts)
  }

  /// Reads and decodes a copy; `nil` if it is not sure to have the packets of its source, or is not sound.
  private func inspected(
    _ made: MadeFile, _ request: InspectionRequest
  ) throws(InspectionError) -> CopiedClip? {
    guard let source = made.source, let input = source.input,
      let read = try run(PacketsJob(), onBytes: made.bytes), read.input == input
    else { return nil }
    var everyFrame = request
    everyFrame.everyFrame = true
    let found = try run(InspectJob(request: everyFrame), onBytes: made.bytes).inspection
    guard found.decoding.fallback == .requested, !found.decoding.isCutShort,
      found.decoding.errorCount == 0, found.facts.frameCount == source.displayed.frames.count
    else { return nil }
    return CopiedClip(
      movie: made.bytes, before: source.displayed, after: read.displayed, facts: found.facts,
      inspection: found)
  }

  /// Carries out a recipe that encodes, and inspects the new file. Blocks the calling thread.
  ///
  /// - Parameter progress: called periodically with the number of encoded frames, on the calling thread.
  /// - Throws: ``InspectionError``: `not-copied` for frames that it does not have or a part that it cannot show,
  ///   `video-not-written`, or as ``CandidateInspector/inspect(_:_:)``.
  package func encode(
    _ candidate: Candidate, _ recipe: Recipe,
    inspecting request: InspectionRequest = InspectionRequest(settlesDoubts: true),
    progress: JobProgress? = nil
  ) throws(InspectionError) -> EncodedClip {
    let made = try run(MakeJob(recipe: recipe), on: candidate, progress: progress)
    guard let report = made.report else {
      throw InspectionError(.workerFailed, "a copy was made in place of an encoding")
    }
    return EncodedClip(
      movie: made.bytes, report: report,
      inspection: try run(InspectJob(request: request), onBytes: made.bytes).inspection)
  }
}

/// A copy of a clip, and the frames and measurements of both.
package struct CopiedClip: Sendable {
  /// The bytes of the new file.
  package var movie: [UInt8]
  /// The displayed frames of the clip.
  package let before: DisplayedFrames
  /// The displayed frames of the copy.
  package let after: DisplayedFrames
  /// Facts of the copy.
  package var facts: MediaFacts
  /// Frames that only one of them has, or that differ.
  let differing: Int
  /// The inspection of every frame of the copy, if it has the packets and therefore the frames of the clip; `nil` if
  /// the frames of both were decoded and compared.
  package var inspection: Inspection?

  init(
    movie: [UInt8], before: DisplayedFrames, after: DisplayedFrames, facts: MediaFacts,
    inspection: Inspection? = nil
  ) {
    (self.movie, self.before, self.after) = (movie, before, after)
    self.facts = facts
    self.inspection = inspection
    differing = before.differing(from: after)
  }
}

/// A new file of encoded frames.
package struct EncodedClip: Sendable {
  /// The bytes of the new file.
  package var movie: [UInt8]
  package var report: EncodingReport
  /// Inspection of the new file.
  package var inspection: Inspection
}
