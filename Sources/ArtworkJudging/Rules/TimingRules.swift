/// A variable frame rate is legal, but makes motion uneven. It is often an accident of screen recording.
enum FrameRateModeRule: Rule {
  static let id = "frame-rate-mode"

  static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    let facts = candidate.facts
    guard facts.frameRateMode == .variable, candidate.inspection.decoding.missingFrames == 0,
      let low = facts.minFrameRate,
      let high = facts.maxFrameRate
    else { return nil }
    return Breach(
      .info, "the frame rate varies", help: "export it at a constant frame rate",
      .encode(facts, for: profile, ClipEdit(rate: constant(facts, profile))),
      measured: "\(decimal(low, places: 2)) to \(decimal(high, places: 2)) fps",
      limit: "a constant frame rate")
  }

  /// The lowest usual rate at which no two frames share a place, within the profile's limit.
  static func constant(_ facts: MediaFacts, _ profile: Profile) -> Rational {
    let most = profile.frameRates?.last ?? min(profile.maxFrameRate ?? Rational(60), Rational(60))
    // Timers are up to 5 % early.
    let wanted = (facts.maxFrameRate ?? 30) / 1.05
    return (profile.frameRates ?? [24, 25, 30, 50, 60].map { Rational($0) })
      .first { $0.value >= wanted && $0 <= most } ?? most
  }
}

/// Repeated frames in a regular pattern stutter, or cost decoding for nothing.
enum JudderRule: Rule {
  static let id = "judder"

  /// Motion is fluent from this many different frames per second on.
  private static let fluent = 20.0

  static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    let facts = candidate.facts
    guard facts.frameRateMode == .constant, let stored = facts.frameRateRatio,
      let cadence = candidate.inspection.looks?.cadence,
      let rate = stored.multiplied(by: cadence.share)
    else { return nil }
    let (original, shown) = (decimal(rate.value, places: 3), decimal(stored.value, places: 3))
    let repeats = cadence.period - cadence.distinct
    let pattern =
      repeats == 1
      ? "one of \(cadence.period) frames repeats the one before"
      : "\(repeats) of \(cadence.period) frames repeat the one before"
    let isUneven = !cadence.isEven
    return Breach(
      isUneven || rate.value < fluent ? .warning : .info,
      "\(original) fps stored as \(shown): \(pattern)\(isUneven ? ", so motion stutters" : "")",
      help: "leave out the repeated frames, or export it again at \(original) fps",
      .leaveOut(cadence, facts, for: profile),
      otherwise: "export it again from the source, at the rate of its frames or of the destination",
      measured: "\(original) different frames per second", limit: "no repeated frames")
  }
}

/// Artwork starts at zero, and no edit list hides frames or changes their speed. Players handle these differently.
enum StartOffsetRule: Rule {
  static let id = "start-offset"

  static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    let facts = candidate.facts
    if let edit = facts.retimedEdit, let rate = edit.rate {
      return Breach(
        .warning,
        rate == 0
          ? "an edit list holds a frame, which only some players do"
          : "an edit list changes the speed, which only some players follow",
        help: "export it again with the times that it is to have; `--unsafe` keeps those of the edit list",
        .encode(facts, for: profile),
        measured: "rate \(decimal(rate, places: 3)) for "
          + "\(decimal(edit.durationSeconds, places: 3)) s", limit: "rate 1")
    }
    // A millisecond is shorter than any frame interval and longer than the rounding of any time base.
    if abs(facts.startSeconds) > 0.001 {
      return Breach(
        .warning, "the first frame is not shown at 0 s, so the loop pauses",
        help: "start its timestamps at the first frame", .copyOrEncode(facts, for: profile),
        measured: "\(decimal(facts.startSeconds, places: 3)) s", limit: "0 s")
    }
    guard facts.discardedFrameCount > 0 else { return nil }
    return Breach(
      .info, "an edit list hides frames of the file",
      help: "export it again, which leaves out the hidden frames; a copy would keep them",
      .encode(facts, for: profile), measured: "\(facts.discardedFrameCount) hidden",
      limit: "no hidden frames")
  }
}

/// A player repeats a file when its longest track has ended, so a track that outlasts the last frame holds it at each
/// repeat.
enum LoopGapRule: Rule {
  static let id = "loop-gap"

  /// Gaps of this many seconds are visible to everyone: six frames at 60 fps, and half of a blink. Those of up to a frame
  /// and ``padding`` seconds are usual: sound ends with a block of its own, and movie headers of phones round.
  private static let (error, padding) = (0.1, 0.04)

  static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    let facts = candidate.facts
    let gap = facts.endOfMovie - facts.endOfFrames
    guard facts.frameCount > 1, !facts.isAnimation, facts.retimedEdit == nil,
      gap > facts.unnoticedGap,
      candidate.inspection.decoding.missingFrames == 0
    else { return nil }
    let audio = facts.endOfAudio.map { $0 > facts.endOfMovie - 0.001 } ?? false
    let held = facts.startSeconds + facts.durationSeconds > facts.endOfMovie - 0.001
    let what =
      audio ? "the sound ends" : held ? "the last frame is held" : "the movie ends"
    let seconds = decimal(gap, places: 3)
    let isUsual = gap < min(error, facts.longestInterval ?? 0) + padding + 0.001
    return Breach(
      isUsual ? .info : gap < error ? .warning : .error,
      "\(what) \(seconds) s \(held ? "longer than others" : "after the last frame")"
        + ", so the loop pauses at each repeat",
      help: "keep only the video track, and end the movie with its last frame",
      .copyOrEncode(facts, for: profile),
      measured: "movie \(decimal(facts.endOfMovie, places: 3)) s, "
        + "frames \(decimal(facts.endOfFrames, places: 3)) s",
      limit: "a gap of \(decimal(facts.unnoticedGap - 0.001, places: 3)) s")
  }
}

/// Whether an animated picture repeats: one that stops after some plays is a still from then on.
enum PlayCountRule: Rule {
  static let id = "play-count"

  static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    let facts = candidate.facts
    guard let count = facts.playCount, facts.frameCount > 1,
      profile.containers.contains(facts.container)
    else { return nil }
    let format = FileFormat.animations.first { $0.container == facts.container }
    return Breach(
      .error, "the picture stops after \(counted(count, "play"))",
      help: "make a copy that repeats without end, with the same pictures",
      format.map { .export($0.rawValue) }, otherwise: "export it with repetition",
      measured: "\(count)", limit: "without end")
  }
}

/// Artwork without motion is a still picture in an expensive format.
enum StaticRule: Rule {
  static let id = "static"

  static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    let frames = candidate.facts.frameCount
    guard frames == 1 || candidate.seam?.verdict == .static else { return nil }
    return Breach(
      .warning, frames == 1 ? "there is only one frame" : "nothing moves",
      help: "publish a still cover instead, or export the animation again",
      measured: frames == 1 ? "1 frame" : "no change in \(frames) frames", limit: "visible motion")
  }
}

/// A loop that fades in or out blinks at every repeat.
package enum FadeRule: Rule {
  package static let id = "fade"

  package static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    guard let judgement = candidate.seam, judgement.verdict == .fade,
      let seam = candidate.inspection.seam, candidate.inspection.decoding.missingFrames == 0
    else { return nil }
    func list(_ contrasts: some Sequence<Double>) -> String {
      contrasts.map { decimal($0, places: 0) }.joined(separator: ", ")
    }
    return Breach(
      judgement.certainty == .certain ? .error : .warning, judgement.sentence,
      help: "cut off the fade: a loop must not blink when it repeats",
      .loop(candidate.facts, for: profile),
      measured:
        "contrast \(list(seam.headContrast.prefix(5))) in the first frames, \(list(seam.tailContrast.suffix(5))) in the last",
      limit: "full contrast from the first frame to the last")
  }
}
