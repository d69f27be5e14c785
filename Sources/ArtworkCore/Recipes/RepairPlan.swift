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
  /// A change to the clip, in the order in which changes are planned: each takes the recipes of those before it.
  package enum Change: Sendable {
    /// The packets are copied, into a container with the missing information.
    case copy
    /// The frames are encoded again, in the form that the destinations accept.
    case encode
    /// The clip becomes the best loop in it.
    case cutToLoop
  }

  package struct Step: Sendable {
    package var change: Change
    /// The findings that this change resolves.
    package var resolves: [Finding]
  }

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

  /// The changes that ``repaired`` needs, in order. An encoded file needs no copy.
  package var steps: [Step] {
    func step(_ change: Change) -> Step {
      Step(change: change, resolves: repaired.filter { $0.change == change })
    }
    let copy = step(.copy)
    if copy.resolves == repaired { return [copy] }
    var encode = step(.encode)
    encode.resolves += copy.resolves
    return [encode] + [step(.cutToLoop)].filter { !$0.resolves.isEmpty }
  }
}

extension Finding {
  /// The change that resolves it, if it is repaired.
  fileprivate var change: RepairPlan.Change {
    guard repair == .unsafe else { return .copy }
    return edit?.loop != nil ? .cutToLoop : .encode
  }
}
