import Glibc

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
