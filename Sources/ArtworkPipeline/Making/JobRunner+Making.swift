import Dispatch
import Synchronization

/// New files of clips. Each is proved before it is returned: inspected, and compared where nothing may differ.
extension JobRunner {
  /// Copies a clip packet by packet. Blocks the calling thread.
  ///
  /// Where the copy has the packets of the clip, the copy is decoded and inspected, frame by frame. Elsewhere every frame
  /// of both is decoded, at the same time.
  ///
  /// - Parameter inspecting: what is measured of the copy; `nil` to compare the frames in any case.
  /// - Throws: ``InspectionError``: `not-copied` where a copy would show something else, or as
  ///   ``CandidateInspector/inspect(_:_:)``.
  package func copy(
    _ candidate: Candidate, _ request: CopyRequest, inspecting: InspectionRequest?
  ) throws(InspectionError) -> CopiedClip {
    let copied = try run(CopyJob(request: request), on: candidate)
    if let inspecting, let clip = try inspected(copied, inspecting) { return clip }
    let before = Mutex<Result<ShownClip, InspectionError>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    DispatchQueue(label: "artworkd.copy.source").async {
      let result = Result { () throws(InspectionError) in try run(ShownFramesJob(), on: candidate) }
      before.withLock { $0 = result }
      isDone.signal()
    }
    // Even where this fails, the other thread ends before its result goes.
    let after = Result { () throws(InspectionError) in
      try run(ShownFramesJob(), onBytes: copied.movie)
    }
    isDone.wait()
    guard let source = try before.withLock({ $0 })?.get() else {
      throw InspectionError(.workerFailed, "a thread ended without its result")
    }
    let result = try after.get()
    return CopiedClip(
      movie: copied.movie, before: source.frames.part(request.frames), after: result.frames,
      facts: result.facts)
  }

  /// Reads and decodes a copy; `nil` where it is not sure to have the packets of its source, or is not sound.
  private func inspected(
    _ copied: CopiedPackets, _ request: InspectionRequest
  ) throws(InspectionError) -> CopiedClip? {
    guard let input = copied.input, let read = try run(PacketsJob(), onBytes: copied.movie),
      read.input == input
    else { return nil }
    var everyFrame = request
    everyFrame.everyFrame = true
    let found = try run(InspectJob(request: everyFrame), onBytes: copied.movie).inspection
    guard found.decoding.fallback == .requested, !found.decoding.isCutShort,
      found.decoding.errorCount == 0,
      found.facts.frameCount == copied.shown.frames.count
    else { return nil }
    return CopiedClip(
      movie: copied.movie, before: copied.shown, after: read.shown, facts: found.facts,
      inspection: found)
  }

  /// Encodes a clip again and inspects the new file. Blocks the calling thread.
  ///
  /// - Parameter progress: called now and then with the number of encoded frames, on the calling thread.
  /// - Throws: ``InspectionError``: `not-copied` for frames that it does not have, `video-not-written`, or as
  ///   ``CandidateInspector/inspect(_:_:)``.
  package func encode(
    _ candidate: Candidate, _ request: EncodeRequest, inspecting: InspectionRequest,
    progress: JobProgress? = nil
  ) throws(InspectionError) -> EncodedClip {
    let movie = try run(EncodeJob(request: request), on: candidate, progress: progress)
    return EncodedClip(
      movie: movie,
      inspection: try run(InspectJob(request: inspecting), onBytes: movie).inspection)
  }

  /// Makes the other variant of a clip and inspects it. Blocks the calling thread.
  ///
  /// - Parameter progress: as for ``encode(_:_:inspecting:progress:)``.
  /// - Throws: ``InspectionError``: `not-copied` for a clip that cannot be cropped, `video-not-written`, or as
  ///   ``CandidateInspector/inspect(_:_:)``.
  package func derive(
    _ candidate: Candidate, _ request: DeriveRequest, progress: JobProgress? = nil
  ) throws(InspectionError) -> DerivedClip {
    var made = try run(DeriveJob(request: request), on: candidate, progress: progress)
    if !made.movie.isEmpty {
      made.inspection = try run(
        InspectJob(request: InspectionRequest(settlesDoubts: true)), onBytes: made.movie
      ).inspection
    }
    return made
  }
}

/// A copy of a clip, and what is known of both.
package struct CopiedClip: Sendable {
  /// The bytes of the new file.
  package var movie: [UInt8]
  /// What the clip shows.
  package let before: ShownFrames
  /// What the copy shows.
  package let after: ShownFrames
  /// Of the copy.
  package var facts: MediaFacts
  /// Frames that only one of them has, or that differ.
  let differing: Int
  /// Of every frame of the copy, where it has the packets of the clip, so that its frames are those of the clip; `nil`
  /// where the frames of both were decoded and compared.
  package var inspection: Inspection?

  init(
    movie: [UInt8], before: ShownFrames, after: ShownFrames, facts: MediaFacts,
    inspection: Inspection? = nil
  ) {
    (self.movie, self.before, self.after) = (movie, before, after)
    self.facts = facts
    self.inspection = inspection
    differing = before.differing(from: after)
  }
}

/// A clip that was encoded again.
package struct EncodedClip: Sendable {
  /// The bytes of the new file.
  package var movie: [UInt8]
  /// Of the new file.
  package var inspection: Inspection
}
