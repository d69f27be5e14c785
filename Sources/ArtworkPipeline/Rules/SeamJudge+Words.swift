#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension SeamJudge {
  /// Missing frames at the seam (negative: repeated frames) according to the timeline; `nil` if it does not tell.
  /// The timeline sees at most two missing frames.
  var missingFrames: Int? {
    guard let line = seam.timeline, line.gap != 1, line.gapMisfit < 0.5 * line.loopMisfit
    else { return nil }
    return line.gap - 1
  }

  /// Both sides of the seam show the same frames in opposite order, at the same speed.
  var isPingPong: Bool {
    guard let line = seam.timeline else { return false }
    return line.mirrorMisfit < 0.3
  }

  var isStrongShift: Bool {
    abs(seam.levels.luma.shift) > 2 * limits.lumaShift
      || max(abs(seam.levels.blue.shift), abs(seam.levels.red.shift)) > 2 * limits.chromaShift
  }

  /// The verdict in a sentence for people.
  func sentence(for verdict: SeamJudgement.Verdict) -> String {
    switch verdict {
    case .seamless: return "the motion continues from the last frame to the first"
    case .static: return "nothing moves"
    case .held:
      return isHeld
        ? "a frame is shown twice at the loop point, so the loop hesitates"
        : "the loop hesitates: \(freezeSentence)"
    case .jump: return "the picture jumps when the clip repeats" + jumpDetail
    case .cut: return "the clip ends with a different picture than it starts with"
    case .fade: return fadeSentence
    case .freeze: return freezeSentence
    case .shift: return shiftSentence
    case .reverse:
      return isPingPong
        ? "the clip swings to and fro: its motion reverses at the loop point"
        : "the motion changes direction when the clip repeats"
    case .pop:
      let percent = decimal((exp(seam.sharpness.seamRise) - 1) * 100, places: 0)
      return
        "the picture becomes \(percent) % sharper when the clip repeats: its end is compressed too much"
    case .uncertain:
      return "the frames at the ends do not show whether the clip loops"
        + (firstImpression == .seamless ? "" : "; it may be `\(firstImpression.rawValue)`")
    }
  }

  private var jumpDetail: String {
    switch missingFrames {
    case .some(let missing) where missing >= 2: ": at least \(missing) frames are missing"
    case .some(1): ": about one frame is missing"
    case .some(let missing) where missing < -1:
      ": the end repeats about \(-missing) frames of the start"
    default: ""
    }
  }

  private var fadeSentence: String {
    guard let fade else { return "the clip fades" }
    func flat(_ luma: Double?) -> String {
      guard let luma else { return "nothing" }
      return luma < 64 ? "black" : luma > 192 ? "white" : "a flat picture"
    }
    if fade.depth > 0.25 { return "the clip dims \(place(fade)) and blinks when it repeats" }
    switch (fade.atStart, fade.atEnd) {
    case (true, true): return "the clip fades in from \(flat(seam.headLuma.first)) and out again"
    case (true, false): return "the clip fades in from \(flat(seam.headLuma.first))"
    default: return "the clip fades out to \(flat(seam.tailLuma.last))"
    }
  }

  private func place(_ fade: Fade) -> String {
    fade.atStart && fade.atEnd ? "at both ends" : fade.atStart ? "at its start" : "at its end"
  }

  private var freezeSentence: String {
    let (head, tail) = (seam.holds.headRest, seam.holds.tailRest)
    return head > tail
      ? "nothing moves in the first \(head + 1) frames"
      : "nothing moves in the last \(tail + 1) frames"
  }

  private var shiftSentence: String {
    let luma = seam.levels.luma.shift
    let chroma = max(abs(seam.levels.blue.shift), abs(seam.levels.red.shift))
    guard abs(luma) >= chroma else {
      return "the colours change by \(decimal(chroma, places: 0)) levels when the clip repeats"
    }
    return "the picture becomes \(decimal(abs(luma), places: 0)) levels "
      + "\(luma > 0 ? "brighter" : "darker") when the clip repeats"
  }
}
