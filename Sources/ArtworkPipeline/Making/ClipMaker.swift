/// Makes new files of clips: ``Inspector`` in this process, ``IsolatedInspector`` in workers.
package protocol ClipMaker: CandidateInspector {
  /// Facts of a clip from its container and its first frame; `nil` where only decoding can tell them. Blocks the calling
  /// thread.
  ///
  /// - Throws: ``InspectionError``, as ``CandidateInspector/inspect(_:_:)``.
  func glance(at candidate: Candidate) throws(InspectionError) -> MediaFacts?

  /// Copies a clip packet by packet. Blocks the calling thread.
  ///
  /// Where the copy has the packets of the clip, the copy is decoded and inspected, frame by frame. Elsewhere every frame
  /// of both is decoded, at the same time.
  ///
  /// - Parameter inspecting: what is measured of the copy; `nil` to compare the frames in any case.
  /// - Throws: ``InspectionError``: `not-copied` where a copy would show something else, or as
  ///   ``CandidateInspector/inspect(_:_:)``.
  func copy(
    _ candidate: Candidate, _ request: CopyRequest, inspecting: InspectionRequest?
  ) throws(InspectionError) -> CopiedClip

  /// Encodes a clip again and inspects the new file. Blocks the calling thread.
  ///
  /// - Parameter progress: is told now and then how many frames are encoded, on the calling thread.
  /// - Throws: ``InspectionError``: `not-copied` for frames that it does not have, `video-not-written`, or as
  ///   ``CandidateInspector/inspect(_:_:)``.
  func encode(
    _ candidate: Candidate, _ request: EncodeRequest, inspecting: InspectionRequest,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> EncodedClip

  /// Makes the other variant of a clip and inspects it. Blocks the calling thread.
  ///
  /// - Parameter progress: as for ``encode(_:_:inspecting:progress:)``.
  /// - Throws: ``InspectionError``: `not-copied` for a clip that cannot be cropped, `video-not-written`, or as
  ///   ``CandidateInspector/inspect(_:_:)``.
  func derive(
    _ candidate: Candidate, _ request: DeriveRequest,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> DerivedClip
}

extension ClipMaker {
  /// The same where nobody asks how far it is.
  package func derive(
    _ candidate: Candidate, _ request: DeriveRequest
  ) throws(InspectionError) -> DerivedClip {
    try derive(candidate, request, progress: { _, _ in })
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
