/// The outcome of the repair of a clip.
package struct ClipRepair: Sendable {
  package enum Status: Sendable {
    /// The clip has no finding that can be repaired.
    case nothingToRepair
    /// It has, and nothing was made yet.
    case planned
    /// A new file passed every check.
    case repaired
    /// An earlier run made the new file from the same clip with the same options, and it still exists.
    case done
    /// Why no file was made, or why the new file was not kept, in a sentence.
    case refused(String)
    case failed(InspectionError)
  }

  /// How a copy was verified to have the frames of the clip.
  package enum Comparison: String, Sendable {
    /// It has the same packets, and all of them decode.
    case packets
    /// Every frame of both was decoded.
    case frames
  }

  /// The inputs of the complete inspection that a clip still needs.
  package struct QuickScan: Sendable {
    package var key: ArtworkKey?
    /// The rules whose findings are repaired, by their ids.
    package var rules: [String]

    package init(
      key: ArtworkKey? = nil, rules: [String]
    ) {
      self.key = key
      self.rules = rules
    }
  }

  package var candidate: Candidate
  package var status: Status
  /// Findings of the clip, without those on pictures beside it.
  package var findings: [Finding]
  /// The findings that are repaired, or would be.
  package var repaired: [Finding] = []
  /// The findings that encoding could repair, if that was not requested.
  package var unsafe: [Finding] = []
  /// Findings of the new file; empty without one.
  package var left: [Finding] = []
  /// The recipes to try, best first. The one that was used if the clip is repaired.
  package var candidateRecipes: [Recipe] = []
  /// Frames that were compared, and those that differ; `nil` without a copy.
  package var frames: (compared: Int, differing: Int)?
  /// How they were compared; `nil` without a copy.
  package var comparison: Comparison?
  /// Facts of the new file; `nil` without one, and for a copy, which has the same frames.
  package var newFacts: MediaFacts?
  /// The known inspection of the clip.
  package var inspection: Inspection?
  package var key = ArtworkKey.square
  /// Which file was judged, in which state, as text; `nil` if unknown.
  package var judgedState: String?
  /// `nil` unless the clip was only scanned quickly; ``findings`` are not complete then.
  package var quickScan: QuickScan?
  /// How flashes are dimmed; predicted until there is a new file, and measured then. `nil` if they are not.
  package var dimming: FlashDimming.Report?
  /// Why flashes stay although the other findings are repaired, in a sentence.
  package var flashesStay: String?

  /// The assumptions about the clip, in sentences.
  package var assumptions: [String] {
    let matrix: String? =
      switch candidateRecipes.first?.content {
      case .packets(let matrix, _)?: matrix
      case .pictures(let encoding)?
      where inspection?.facts.color.matrix == nil && inspection?.facts.chroma != "rgb":
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
    guard let recipe = candidateRecipes.first, let facts = inspection?.facts else { return [] }
    let missing = findings.filter { $0.rule == LottieUnsupportedRule.id }.map(\.message)
    return recipe.changes(of: facts, new: newFacts) + dimmed
      + missing.map { "the video lacks what cannot be drawn: \($0)" }
  }

  private var dimmed: [String] {
    guard let dimming, dimming.dimmedFrames > 0 else { return [] }
    let flashes = [dimming.flashes, dimming.newFlashes].map { decimal($0, places: 1) }
    let lost = decimal(100 * dimming.lightLost, places: 0)
    return [
      "flashes are dimmed: \(flashes[0]) in a second become \(flashes[1]); frames are \(lost) % darker on average, "
        + "\(dimming.dimmedFrames) by more than a tenth"
    ]
  }

  /// Remarks that the new file keeps of a rule that counted against the clip.
  package var remarks: [Finding] {
    left.filter { finding in
      finding.severity == .info
        && repaired.contains { $0.rule == finding.rule && $0.profile == finding.profile }
    }
  }

  /// The findings that count against the new file as much as against the clip, without ``remarks``.
  package var leftWithoutRemarks: [Finding] {
    let remarks = remarks
    return left.filter { !remarks.contains($0) }
  }

  /// Whether there is a new file.
  package var isRepaired: Bool {
    switch status {
    case .repaired, .done: true
    case .nothingToRepair, .planned, .refused, .failed: false
    }
  }

  package init(
    candidate: Candidate, status: Status, findings: [Finding], repaired: [Finding] = [],
    unsafe: [Finding] = [], left: [Finding] = [], candidateRecipes: [Recipe] = [],
    frames: (compared: Int, differing: Int)? = nil, comparison: Comparison? = nil,
    newFacts: MediaFacts? = nil, inspection: Inspection? = nil, key: ArtworkKey = ArtworkKey.square,
    judgedState: String? = nil, quickScan: QuickScan? = nil
  ) {
    self.candidate = candidate
    self.status = status
    self.findings = findings
    self.repaired = repaired
    self.unsafe = unsafe
    self.left = left
    self.candidateRecipes = candidateRecipes
    self.frames = frames
    self.comparison = comparison
    self.newFacts = newFacts
    self.inspection = inspection
    self.key = key
    self.judgedState = judgedState
    self.quickScan = quickScan
  }
}

extension ColorDescription {
  /// The usual name of a matrix that players assume if none is stated.
  package static func title(ofMatrix name: String) -> String {
    ["bt709": "BT.709", "bt2020nc": "BT.2020"][name] ?? "BT.601"
  }
}
