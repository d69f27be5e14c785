package import ArtworkModel

/// Makes new files of clips: ``Inspector`` in this process, ``IsolatedInspector`` in workers.
package protocol ClipMaker: CandidateInspector {
  /// Copies a clip packet by packet, decodes every frame of the clip and of the copy, and inspects the copy. Blocks the
  /// calling thread; the clip and the copy are decoded at the same time.
  ///
  /// - Throws: ``InspectionError``: `not-copied` where a copy would show something else, or as
  ///   ``CandidateInspector/inspect(_:_:)``.
  func copy(
    _ candidate: Candidate, _ request: CopyRequest, inspecting: InspectionRequest
  ) throws(InspectionError) -> CopiedClip

  /// Makes the other variant of a clip and inspects it. Blocks the calling thread.
  ///
  /// - Throws: ``InspectionError``: `not-copied` for a clip that cannot be cropped, `video-not-written`, or as
  ///   ``CandidateInspector/inspect(_:_:)``.
  func derive(
    _ candidate: Candidate, _ request: DeriveRequest
  ) throws(InspectionError) -> DerivedClip
}

/// A copy of a clip, and what is known of both.
package struct CopiedClip: Sendable {
  /// The bytes of the new file.
  package var movie: [UInt8]
  /// What the clip shows.
  package var before: ShownFrames
  /// What the copy shows.
  package var after: ShownFrames
  /// Of the copy.
  package var inspection: Inspection
}
