import Glibc

/// Turns a measured seam into a verdict. Every measurement has one.
///
/// The tests run from the most specific evidence to the least: a fade also jumps, but a jump does not fade.
struct SeamJudge {
  let seam: SeamMeasurement
  let limits: SeamThresholds
  /// Whether the picture is displayed as coded: otherwise positions in it are left out of sentences.
  var isUpright = true

  /// A verdict, and whether the defect is obvious to everyone.
  struct Outcome: Equatable {
    var verdict: SeamJudgement.Verdict
    var isClear: Bool
  }

  /// Seconds from frame to frame above which every step is large, so that no verdict is certain.
  private static let slowInterval = 0.12

  var outcome: Outcome {
    var outcome = judged
    if let interval = seam.interval, interval > Self.slowInterval, outcome.verdict != .static {
      outcome.isClear = false
    }
    return outcome
  }

  private var judged: Outcome {
    if limits.isStatic(seam.motion), !shifts {
      return Outcome(verdict: .static, isClear: !limits.isUneven(seam))
    }
    if limits.fades(seam), !isBeat { return Outcome(verdict: .fade, isClear: true) }
    if seam.dip != nil, !isBeat { return Outcome(verdict: .fade, isClear: false) }
    guard seam.prediction != nil else {
      return Outcome(verdict: .seamless, isClear: false)
    }
    if blankEnd != nil { return Outcome(verdict: .cut, isClear: true) }
    if let change = changeOfPicture { return change }
    if freeze != nil {
      return Outcome(verdict: .freeze, isClear: seam.rests.allSatisfy(limits.isAbruptForCertain))
    }
    if differs { return Outcome(verdict: .jump, isClear: !mayRecur) }
    if let jump { return jump }
    if seam.repeats.replayed > 0 { return Outcome(verdict: .jump, isClear: true) }
    if isHeld { return Outcome(verdict: .held, isClear: false) }
    if seam.places != nil { return Outcome(verdict: .jump, isClear: false) }
    if isPop { return Outcome(verdict: .pop, isClear: false) }
    if isPingPong { return Outcome(verdict: .reverse, isClear: false) }
    return Outcome(verdict: .seamless, isClear: limits.isPlainLoop(seam))
  }

  /// Above 1, the picture jumps. `nil` if motion cannot be predicted.
  var jumpScore: Double? { limits.score(seam) }

  // MARK: Tests

  /// Content or levels that change at the seam; `nil` if neither does, or if the same happens inside.
  private var changeOfPicture: Outcome? {
    if isBeat, seam.levels.oddFrames == 0 { return nil }
    let shift = Outcome(verdict: .shift, isClear: limits.isSteady(seam.levels))
    // Changing light leaves much unexplained, too, but the motion continues in it: prediction allows for gain and
    // offset.
    let jumpsClearly = jump != nil && isClearJump
    let shifts = shifts && !jumpsClearly
    if shifts, seam.content.likeness > limits.cutLikeness { return shift }
    // Unexplained content may have jumped: then its colours are the same.
    if differs {
      return limits.keepsColours(seam.content) ? nil : Outcome(verdict: .cut, isClear: !mayRecur)
    }
    return shifts ? shift : nil
  }

  /// Content that motion does not explain; not if the same happens inside.
  private var differs: Bool { !isBeat && !recurs && limits.cuts(seam) }

  /// Light or colour changes, and not by as much inside.
  private var shifts: Bool { limits.shifts(seam.levels) }

  /// A break of the motion that led to the seam; `nil` if it continues, or if the same happens inside.
  private var jump: Outcome? {
    guard !isBeat, !recurs, limits.jumps(seam) else { return nil }
    return Outcome(
      verdict: isPingPong && !shifts ? .reverse : .jump, isClear: isClearJump && !mayRecur)
  }

  /// Whether a jump is so large that everyone sees it.
  private var isClearJump: Bool {
    seam.prediction.map { limits.isCertainJump($0, hold: seam.hold) } ?? false
  }

  /// The change at the seam is one of several at equal intervals.
  var isBeat: Bool { seam.rhythm != nil }

  /// What happens at the seam happens inside, too.
  var recurs: Bool { seam.recurrence.map(limits.recurs) ?? false }

  /// Something inside is nearly as large as the change at the seam, which may be the clip's own then.
  private var mayRecur: Bool {
    seam.recurrence.map { limits.resembles($0, isCut: limits.cuts(seam)) } ?? false
  }

  /// The end with a blank frame; `nil` if there is none, or the clip flashes like that.
  var blankEnd: SeamMeasurement.End? {
    // A single one may be a fault as well.
    isBeat || (seam.blanks ?? 0) > 1 ? nil : limits.blankEnd(of: seam)
  }

  /// A clip that rests for more than this share of its duration does so on purpose: it is a still on which something
  /// happens.
  private static let mostRest = 0.4

  /// The longest rest beside the seam, if motion stops and restarts abruptly, and continues where it stopped; eased
  /// stops, turns and pauses like those inside the clip do not count.
  var freeze: SeamMeasurement.Rest? {
    guard
      seam.rests.allSatisfy({
        limits.isAbrupt($0) && $0.share < Self.mostRest
          && ($0.straightness ?? 1) > limits.heldStraightness
      })
    else { return nil }
    return seam.rests.filter {
      $0.frames >= 4 && $0.seconds >= limits.freezeSeconds && $0.frames > $0.longestInside
    }.max { $0.seconds < $1.seconds }
  }

  private var isPop: Bool {
    !isBeat
      && (seam.oddBlocks != nil
        || limits.keepsColours(seam.content)
          && abs(seam.sharpness.rise) - 2 * seam.sharpness.usualRise > limits.pop)
  }

  /// The last frame repeats the first, and the motion continues straight around them, and not slowly: the less they are
  /// alike, the straighter it has to be. Or an end frame is shown more than once.
  private var isHeld: Bool {
    let repeats = seam.repeats
    guard repeats.repeatElsewhere == false else { return false }
    return repeats.doubledBefore + repeats.doubledAfter > 0
      || repeats.stepRatio < 0.5 && repeats.stepBeside > 0.5 * seam.motion.live
        && repeats.straightness > limits.heldStraightness + 0.65 * repeats.stepRatio
  }

  /// Both sides of the seam have the same frames in opposite order, at the same speed: that order fits them better by
  /// far than any other.
  var isPingPong: Bool {
    seam.timeline.map { $0.mirrorMisfit < limits.mirror * $0.gapMisfit } ?? false
  }

  /// Missing frames at the seam (negative: repeated frames) according to the timeline; `nil` if it is inconclusive.
  /// The timeline sees at most two missing frames.
  var missingFrames: Int? {
    if seam.repeats.replayed > 0 { return -seam.repeats.replayed }
    guard limits.blankEnd(of: seam) == nil, let line = seam.timeline, line.gap != 1,
      line.gapMisfit < 0.5 * line.loopMisfit
    else { return nil }
    return line.gap - 1
  }
}

extension SeamJudge {
  /// The verdict in a sentence for people.
  package func sentence(for outcome: Outcome) -> String {
    var sentence = verdict(outcome)
    if let frames = seam.beforeEnd {
      sentence += ", \(frames == 1 ? "one frame" : "\(frames) frames") before the end"
    }
    if let rounds = seam.rounds {
      sentence += "; the clip plays the same frames \(rounds) times, and once is enough"
    }
    return sentence
  }

  private func verdict(_ outcome: Outcome) -> String {
    switch outcome.verdict {
    case .seamless: return seamlessSentence
    case .static: return "nothing moves"
    case .held:
      let repeats = seam.repeats
      let doubled = repeats.doubledBefore + repeats.doubledAfter
      let more = doubled > 0 ? doubled - 1 : repeats.heldBefore + repeats.heldAfter
      let times = more > 0 ? "\(more + 2) times" : "twice"
      return "a frame is shown \(times) at the loop point, so the loop hesitates"
    case .jump where jump == nil && !differs && seam.repeats.replayed == 0:
      return placesSentence
    case .jump:
      return outcome.isClear
        ? "the picture jumps at the loop point" + jumpDetail
        : "the motion stutters at the loop point" + jumpDetail
    case .cut:
      switch blankEnd {
      case .last: return "the last frame is blank"
      case .first: return "the first frame is blank"
      case nil: return "the clip ends with a different picture than it starts with"
      }
    case .fade: return fadeSentence
    case .freeze: return freezeSentence
    case .shift: return shiftSentence
    case .reverse:
      return seam.repeats.stepRatio < 0.3
        ? "the clip swings to and fro, and shows the frame at its turning point twice"
        : "the clip swings to and fro: its motion reverses at the loop point"
    case .pop: return popSentence
    case .uncertain: return "an earlier version did not settle whether the clip loops"
    }
  }

  /// Explains why people do not notice a large change at the seam.
  private var seamlessSentence: String {
    guard seam.prediction != nil else { return "the clip has too few frames to show how it moves" }
    guard max(seam.motion.usual, seam.motion.seam) >= limits.still else {
      return "the picture stands still where the clip repeats"
    }
    guard seam.score >= 2 else {
      return "the motion continues from the last frame to the first"
        + (limits.isUneven(seam) ? ", though less evenly than elsewhere" : "")
    }
    let size =
      "the change at the loop point is \(decimal(seam.score, places: 1)) times the clip's usual motion"
    if isBeat || recurs { return size + ", and the same change occurs inside the clip" }
    if seam.motion.seam <= seam.motion.largest * 0.999 {
      return size + ", and the frames beside it change as much"
    }
    return size + ", but the motion that leads there explains it"
  }

  private var placesSentence: String {
    guard let places = seam.places else { return "the picture jumps at the loop point" }
    let isAtSeam = places.atSeam > 0 || places.distance == 0
    let blocks = Double(isAtSeam ? places.atSeam : places.nearSeam)
    let share = decimal(100 * blocks / Double(SeamMeasurement.Places.blocks), places: 0)
    let frames = { (count: Int) in count == 1 ? "one frame" : "\(count) frames" }
    let place =
      isAtSeam
      ? "at the loop point"
      : places.distance < 0
        ? "\(frames(-places.distance)) before the end" : "\(frames(places.distance)) after the start"
    return "\(share) % of the picture stands still everywhere else, and jumps \(place)"
  }

  private var jumpDetail: String {
    switch missingFrames {
    case .some(let missing) where missing >= 2: return ": at least \(missing) frames are missing"
    case .some(1): return ": about one frame is missing"
    case .some(let missing) where missing < 0:
      return ": the end repeats \(-missing == 1 ? "a frame" : "\(-missing) frames") of the start"
    default: break
    }
    guard isUpright, let worst = seam.prediction?.worstBlock else { return "" }
    return ", most \(worst.place)"
  }

  private var fadeSentence: String {
    if let dip = seam.dip, !limits.fades(seam) {
      let percent = decimal(100 * dip, places: 0)
      return "the picture fades to \(percent) % of its light or contrast at each repeat"
    }
    let (first, last) = (seam.headContrast.first ?? 0, seam.tailContrast.last ?? 0)
    func flat(_ luma: Double?) -> String {
      guard let luma else { return "nothing" }
      return luma < 64 ? "black" : luma > 192 ? "white" : "a flat picture"
    }
    let start = flat(seam.headLuma.first)
    let end = flat(seam.tailLuma.last)
    if max(first, last) < 2 * min(first, last) + 1 {
      return "the clip fades in from \(start) and out to \(end)"
    }
    return first < last ? "the clip fades in from \(start)" : "the clip fades out to \(end)"
  }

  private var freezeSentence: String {
    guard let freeze else { return "the motion stops at the loop point" }
    return "nothing moves in the \(freeze.isAtStart ? "first" : "last") "
      + "\(decimal(freeze.seconds, places: 1)) s (\(freeze.frames + 1) frames)"
  }

  private var shiftSentence: String {
    if seam.levels.oddFrames != 0 {
      let (count, end) = (abs(seam.levels.oddFrames), seam.levels.oddFrames > 0 ? "last" : "first")
      return count == 1
        ? "the \(end) frame differs in light or colour from those around it"
        : "the \(end) \(count) frames differ in light or colour from those around them"
    }
    if !limits.shiftsLevels(seam.levels) {
      let change = seam.levels.contrast.shift
      let percent = decimal((exp(abs(change)) - 1) * 100, places: 0)
      return "the contrast \(change > 0 ? "rises" : "falls") by \(percent) % when the clip repeats"
    }
    let luma = seam.levels.luma.shift
    let chroma = max(abs(seam.levels.blue.shift), abs(seam.levels.red.shift))
    guard limits.excess(seam.levels.luma) > limits.shift || abs(luma) >= chroma else {
      return "the colours change by \(decimal(chroma, places: 0)) levels when the clip repeats"
    }
    return "the picture becomes \(decimal(abs(luma), places: 0)) levels "
      + "\(luma > 0 ? "brighter" : "darker") when the clip repeats"
  }

  private var popSentence: String {
    if let odd = seam.oddBlocks {
      let percent = decimal(100 * Double(odd) / Double(SeamMeasurement.Places.blocks), places: 0)
      return "\(percent) % of the first frame differs from the frames on both sides of it: it is coded worse"
    }
    let percent = decimal((exp(abs(seam.sharpness.rise)) - 1) * 100, places: 0)
    return seam.sharpness.rise > 0
      ? "the picture becomes \(percent) % sharper when the clip repeats: its end is compressed too much"
      : "the picture becomes \(percent) % less sharp when the clip repeats"
  }
}

extension SeamMeasurement.WorstBlock {
  /// Its position in an upright picture, in words.
  fileprivate var place: String {
    func third(_ centre: Double, _ names: [String]) -> String {
      names[min(2, max(0, Int(centre * 3)))]
    }
    let row = third(y + height / 2, ["top", "", "bottom"])
    let column = third(x + width / 2, ["left", "", "right"])
    let words = [row, column].filter { !$0.isEmpty }
    return words.isEmpty ? "in the middle" : "at the " + words.joined(separator: " ")
  }
}
