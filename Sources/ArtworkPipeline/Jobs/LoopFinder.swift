/// Decodes a clip, searches it for loops, and draws the best one's seam.
enum LoopFinder {
  /// Seconds on either side of the seam that the animation covers: enough to see the motion continue.
  private static let animationReach = 0.75

  static func find(
    _ clip: borrowing some SearchableClip & ~Copyable, _ request: TrimRequest, withPictures: Bool,
    start: LoopJob.Start? = nil, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> LoopCandidates {
    let decoded = try DecodedClip(
      reading: clip, limits: limits, expectedCount: clip.expectedCount, progress: progress)
    let count = decoded.frames.count
    let known = try clip.cutPlaces()
    // If decoding returned other frames than the container lists, the numbers do not match.
    let places =
      known.starts.count == count + 1 && decoded.damagedFrames == 0
      ? known : CutPlaces(frameCount: count)
    let outcome = TrimSearch(
      frames: decoded.frames, times: decoded.times, starts: places.starts, ends: places.ends,
      request: request
    ).run { range in
      decoded.measurement(of: range).map { seam in
        range.count == count ? SeamJudgement(seam) : LoopSeamRule.judgeChosen(seam, of: range.count)
      }
    } dissolve: { fade in
      decoded.measurement(of: fade).map(SeamJudgement.init)
    } drift: { drift in
      decoded.measurement(of: drift).map(SeamJudgement.init)
    }
    var report = LoopReport(
      answer: outcome.answer, candidates: outcome.candidates, whole: outcome.whole,
      crossFade: outcome.crossFade, frameCount: count, startSeconds: decoded.times.first ?? 0,
      endSeconds: decoded.times.last ?? 0, frameRate: decoded.rate,
      isVariableRate: decoded.isVariableRate, damagedFrames: decoded.damagedFrames,
      below: request.below)
    (report.drift, report.lit, report.swing) = (outcome.drift, outcome.lit, outcome.swing)
    report.likeness = start.map { decoded.likeness(to: $0.cover) }
    guard withPictures, let shown = report.shown else { return LoopCandidates(report: report) }
    let numbers = animatedFrames(of: shown, decoded)
    let near = nearFrames(of: shown)
    let pictures = try clip.pictures(
      Set(numbers).union(near.last).union(near.first), of: decoded, places: places,
      inside: LoopPictures.animation)
    let (last, first) = (
      near.last.compactMap { pictures[$0] }, near.first.compactMap { pictures[$0] }
    )
    guard !last.isEmpty, !first.isEmpty else { return LoopCandidates(report: report) }
    func small(_ pictures: [PixelImage]) -> [PixelImage] {
      pictures.map { $0.reduced(to: $0.size.fitted(inside: SeamStrip.frameSize)) }
    }
    let animated = numbers.compactMap { pictures[$0] }
    return LoopCandidates(
      report: report,
      strip: try PNGEncoder.encode(SeamStrip.draw(last: small(last), first: small(first))),
      animation: animated.count < max(2, numbers.count)
        ? nil
        : try AnimatedPicture.png(
          animated, seconds: delays(numbers, shown, decoded), limits: limits))
  }

  /// The frames on either side of the seam; fewer in short parts.
  private static func nearFrames(of part: TrimCandidate) -> (last: Range<Int>, first: Range<Int>) {
    let each = max(1, min(SeamStrip.endCount, part.frameCount / 2))
    return (part.endFrame - each..<part.endFrame, part.startFrame..<part.startFrame + each)
  }

  /// The frames of the animation in playback order: up to the seam, then from it on.
  private static func animatedFrames(
    of part: TrimCandidate, _ decoded: DecodedClip
  ) -> [Int] {
    let frames = part.startFrame..<part.endFrame
    var last = frames.filter { decoded.times[$0 + 1] > part.endSeconds - animationReach }
    var first = frames.filter { decoded.times[$0] < part.startSeconds + animationReach }
    // A short part plays once.
    if let end = first.last, let start = last.first, start <= end {
      let middle = (part.startFrame + part.endFrame) / 2
      last = Array(middle..<part.endFrame)
      first = Array(part.startFrame..<middle)
    }
    let stride = max(
      1, (last.count + first.count + LoopPictures.mostFrames - 1) / LoopPictures.mostFrames)
    // Counted from the seam, so that the frames at it are included.
    last = last.reversed().enumerated().filter { $0.offset % stride == 0 }.map(\.element).reversed()
    first = first.enumerated().filter { $0.offset % stride == 0 }.map(\.element)
    return Array((last + first).prefix(LoopPictures.mostFrames))
  }

  /// The duration of each of `numbers`: until the next one, up to the seam or the end.
  private static func delays(
    _ numbers: [Int], _ part: TrimCandidate, _ decoded: DecodedClip
  ) -> [Rational] {
    numbers.indices.map { index in
      let number = numbers[index]
      let next = index + 1 < numbers.count ? numbers[index + 1] : number + 1
      let end = next > number ? next : min(part.endFrame, number + 1)
      if end == number + 1, decoded.durations[number] > Rational(0) {
        return decoded.durations[number]
      }
      let milliseconds = (decoded.times[end] - decoded.times[number]) * 1000
      return Rational(max(1, wholeNumber(milliseconds.rounded(), as: Int64.self) ?? 1), 1000)
        ?? .one
    }
  }
}

extension SeamJudgement {
  /// The verdict of ``Profile/nowPlaying`` on a seam.
  init(_ measurement: SeamMeasurement) {
    self = LoopSeamRule.judge(measurement, thresholds: Profile.nowPlaying.seam)
  }
}

/// How large the animation of ``LoopFinder`` gets.
enum LoopPictures {
  /// The box of the animation: large enough to see a seam, small enough to send in a message.
  static let animation = PixelSize(width: 320, height: 320)
  /// Frames of the animation: 1.5 s at 60 fps. At higher rates only every second, third... frame is used.
  static let mostFrames = 90
}
