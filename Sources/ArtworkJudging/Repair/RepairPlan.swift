/// What the rest of a release asks of the repair of one of its clips.
package struct ReleaseNeeds: Sendable {
  /// The still cover: a closed loop begins at the frame that is most like it.
  package var cover: StillPicture?
  /// The video of the other shape, if it needs no repair: lengths should be equal, and the crop should show the same.
  package var partner: Inspection?
  /// The frames of the repaired video of the other shape, which this one is to have, too.
  package var frames: FrameSelection?
  /// Whether a loop may be much shorter than the clip where no long one is clean.
  package var mayShorten = false

  package init() {}
}

/// What was measured of a clip, and how the new file that repairs it is made.
package struct RepairPlan: Sendable {
  package var candidate: Candidate
  package var beside = ReleaseNeeds()
  /// Which file was measured, in which state; `nil` if unknown.
  package var fileState: FileState?
  package var key = ArtworkKey.square
  package var inspection: Inspection?
  /// Findings of the clip, without those on pictures beside it.
  package var findings: [Finding] = []
  /// The findings to repair.
  package var repaired: [Finding] = []
  /// The findings that encoding could repair, if that was not requested.
  package var needsEncoding: [Finding] = []
  /// The recipes to try, best first.
  package var recipes: [Recipe] = []
  /// The loops in the clip; `nil` if none were searched.
  package var loops: LoopReport?

  package init(_ candidate: Candidate) { self.candidate = candidate }
}
