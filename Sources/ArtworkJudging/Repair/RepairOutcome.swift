/// The outcome of the repair of a clip, without the bytes of the new file.
package struct RepairOutcome: Sendable {
  package enum Status: Sendable {
    /// The clip has no finding that can be repaired.
    case unchanged
    /// It has, and nothing was made yet.
    case planned
    /// A new file passed every check.
    case repaired
    /// An earlier run made the new file from the same clip with the same options, and it still exists.
    case fromEarlierRun
    /// Why no file was made, or why the new file was not kept, in a sentence.
    case refused(String)
    case failed(InspectionError)
  }

  /// How a copy was verified to have the frames of the clip.
  package struct Comparison: Sendable, Equatable {
    package enum Method: String, Sendable {
      /// It has the same packets, and all of them decode.
      case packets
      /// Every frame of both was decoded.
      case frames
    }

    package var method: Method
    /// Frames that were compared, and those that differ.
    package var compared: Int
    package var differing: Int

    package init(_ method: Method, compared: Int, differing: Int) {
      (self.method, self.compared, self.differing) = (method, compared, differing)
    }
  }

  package var plan: RepairPlan
  package var status: Status
  /// The path of the new file; `nil` without one.
  package var output: FilePath?
  /// The findings that the new file does not have, or that are to be repaired.
  package var repaired: [Finding]
  /// Findings of the new file; empty without one.
  package var remaining: [Finding] = []
  /// The recipe that was carried out, or that would be first.
  package var recipe: Recipe?
  /// `nil` without a copy.
  package var comparison: Comparison?
  /// Whether the new file is cropped out of the video of the other shape.
  package var isDerived = false
  /// The ``doubts`` of an earlier run.
  package var earlierDoubts: [String] = []
  /// Whether the new file takes no other one's place: it is the missing shape.
  package var isFurther = false
  /// Inspection of the new file; `nil` without one.
  package var newInspection: Inspection?
  /// Facts of the new file; `nil` without one, and for a copy, which has the same frames.
  package var newFacts: MediaFacts? {
    recipe?.isCopy == true ? nil : newInspection?.facts
  }

  package init(_ plan: RepairPlan, _ status: Status) {
    (self.plan, self.status, repaired) = (plan, status, plan.repaired)
    recipe = plan.recipes.first
  }

  /// The assumptions about the clip, in sentences.
  package var assumptions: [String] {
    let facts = plan.inspection?.facts
    let matrix: String? =
      switch recipe?.content {
      case .packets(let matrix, _)?: matrix
      case .pictures(let encoding)? where facts?.color.matrix == nil && facts?.chroma != "rgb":
        encoding.color?.matrix
      default: nil
      }
    guard let matrix else { return [] }
    return [
      "it states \(ColorDescription.title(ofMatrix: matrix)), the colours in which players show the clip; if it was made with others, export it again"
    ]
  }

  /// The changes to the picture, in sentences; none for a copy.
  package var changes: [String] {
    guard let recipe, let facts = plan.inspection?.facts else { return [] }
    let missing = plan.findings.filter { $0.rule == LottieUnsupportedRule.id }.map(\.message)
    if recipe.rotation != nil {
      return ["it is turned upright by its header, and every frame stays as it is"]
    }
    return recipe.changes(of: facts, new: newFacts)
      + missing.map { "the video lacks what cannot be drawn: \($0)" }
  }

  /// Why a person may deny what was made, in sentences: it needs a look.
  package var doubts: [String] {
    switch status {
    case .repaired, .planned: break
    case .unchanged, .fromEarlierRun, .refused, .failed: return earlierDoubts
    }
    var doubts: [String] = []
    if isDerived {
      doubts.append("the \(plan.key.rawValue) shape is cropped out of the other: what is cut off?")
      return doubts
    }
    guard let frames = recipe?.frames, recipe?.isCopy == false else { return [] }
    if frames.order == .autoReverse {
      doubts.append("it plays forward and back: does anything move that cannot run backward?")
    }
    if case .drawn(let drawing) = recipe?.encoding?.form, drawing.contentMode == .fit {
      doubts.append(
        "the whole drawing is fitted into the shape: does the ground beside it suit it?")
    }
    if recipe?.losesMuch == true, !repaired.contains(where: { $0.rule == LetterboxRule.id }) {
      doubts.append("more than a tenth of the picture is cut off: what is lost?")
    }
    if frames.dissolvedFrames > 0 {
      doubts.append("its end dissolves into its start: are two pictures seen at once?")
    }
    if frames.rate != nil, let old = plan.inspection?.facts.frameCount,
      let new = newFacts?.frameCount, Double(new - old) > Self.repeatedShare * Double(new)
    {
      doubts.append("\(new - old) of \(new) frames are shown twice: does it stutter?")
    }
    return doubts
  }

  /// More repeated frames than this share are seen.
  private static let repeatedShare = 0.1

  /// Remarks that the new file keeps of a rule that counted against the clip.
  package var remarks: [Finding] {
    remaining.filter { finding in
      finding.severity == .info
        && repaired.contains { $0.rule == finding.rule && $0.profile == finding.profile }
    }
  }

  /// The findings that count against the new file as much as against the clip, without ``remarks``; those of the
  /// clip if there is no new file.
  package var findings: [Finding] {
    guard isRepaired else { return plan.findings }
    let remarks = remarks
    return remaining.filter { !remarks.contains($0) }
  }

  /// Whether there is a new file.
  package var isRepaired: Bool {
    switch status {
    case .repaired, .fromEarlierRun: true
    case .unchanged, .planned, .refused, .failed: false
    }
  }
}

extension ColorDescription {
  /// The usual name of a matrix that players assume if none is stated.
  package static func title(ofMatrix name: String) -> String {
    ["bt709": "BT.709", "bt2020nc": "BT.2020"][name] ?? "BT.601"
  }
}

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

  package init(_ candidate: Candidate) { self.candidate = candidate }
}
