/// The contents of a file with a loop of the clip.
package struct LoopPart: Sendable, Equatable {
  package var frames: Range<Int>
  /// Frames at the end that dissolve into those before the start.
  package var dissolvedFrames = 0
  /// Whether the part plays forward, then backward.
  package var swings = false
  package var isLossless = false
  /// What is taken out of its light.
  package var drift: LightDrift?

  package init(_ part: TrimCandidate) {
    (frames, isLossless) = (part.startFrame..<part.endFrame, part.isLossless)
  }

  package init(_ fade: CrossFade) {
    (frames, dissolvedFrames) = (fade.startFrame..<fade.endFrame, fade.fadeFrames)
  }

  package init(_ drift: LightDrift) { (frames, self.drift) = (drift.frames, drift) }

  package init(_ frames: Range<Int>, swings: Bool = false) {
    (self.frames, self.swings) = (frames, swings)
  }

  /// The frames of a new file, with the other options of `selection`.
  ///
  /// - Parameter most: frames that can be held in memory to dissolve into.
  package func selected(_ selection: FrameSelection, dissolvingAtMost most: Int) -> FrameSelection {
    var selection = selection
    (selection.start, selection.end) = (.frame(frames.lowerBound), .frame(frames.upperBound))
    selection.dissolvedFrames = min(dissolvedFrames, most)
    if swings { selection.order = .autoReverse }
    return selection
  }
}

extension LoopReport {
  /// The loops that a file can be made from, best first: a true loop, the clip without a drift of its light, one that is forced
  /// by a dissolve, and one that plays back and forth. A loop that hardly moves, or that is short, comes after a dissolve. A
  /// dissolve that jumps is left out.
  ///
  /// - Parameters:
  ///   - seconds: they start no earlier than this after the first frame.
  ///   - prefersLongest: of loops that are as good as the best, the longest comes first.
  ///   - long: seconds of a loop that is not short.
  package func parts(
    from seconds: Double = 0, prefersLongest: Bool = false, long: Double = 0
  ) -> [LoopPart] {
    let step = durationSeconds / Double(max(1, frameCount))
    /// Returns the most frames of a part that is shorter than this share of the limit.
    func longest(_ share: Double) -> Int {
      min(frameCount, (wholeNumber((share * below / step).rounded(.up)) ?? 0) - 1)
    }
    if answer == .static { return [LoopPart(0..<max(1, longest(1)))] }
    let first = min(frameCount, wholeNumber((seconds / step).rounded(.up)) ?? 0)
    let loops = candidates.filter { $0.seam.verdict.loops && $0.startFrame >= first }
    let best = prefersLongest ? Self.longest(of: loops) : loops.first
    var parts = [best].compactMap(\.self).map { LoopPart($0) }
    let isFirst = best.map { $0.hardlyMoves || $0.durationSeconds < long - 2 * step } ?? true
    if let fade = crossFade, fade.startFrame >= first, fade.loops {
      parts.insert(LoopPart(fade), at: isFirst ? 0 : parts.count)
    }
    if let drift, drift.frames.lowerBound >= first {
      parts.insert(LoopPart(drift), at: isFirst ? 0 : parts.count)
    }
    // There and back, without doubling the turning frames.
    let start = max(first, swing?.lowerBound ?? 0)
    let end = min(swing?.upperBound ?? frameCount, start + longest(0.5))
    if end - start >= Self.fewestFrames { parts.append(LoopPart(start..<end, swings: true)) }
    return parts
  }

  /// The frame with which a part begins, if that is not its first: a closed loop begins like the cover, or else like the
  /// clip did, unless its own first frame is nearly as alike.
  package func begin(of part: LoopPart) -> Int? {
    guard let likeness, likeness.count == frameCount else { return nil }
    let clean = part.frames.dropLast(part.dissolvedFrames)
    guard let best = clean.max(by: { likeness[$0] < likeness[$1] }),
      likeness[best] > likeness[part.frames.lowerBound] + Self.asAlike
    else { return nil }
    return best
  }

  /// A difference of likeness that nobody sees.
  private static let asAlike: Float = 0.03

  /// The longest of those that are as good as the first: as lively, with the same verdict, and with no more surprise
  /// at the seam, or so little more that it is invisible.
  private static func longest(of loops: [TrimCandidate]) -> TrimCandidate? {
    guard let best = loops.first else { return nil }
    let equals = loops.filter { other in
      other.hardlyMoves == best.hardlyMoves && other.seam.verdict == best.seam.verdict
        && (other.seam.surprise ?? 0) <= max(best.seam.surprise ?? 0, unseenSurprise)
    }
    // The earlier of equally long ones, which is the better one. Less than a millisecond is rounding.
    return equals.reduce(best) { $1.durationSeconds > $0.durationSeconds + 0.001 ? $1 : $0 }
  }

  /// Above 1, a seam jumps. Up to this its errors are the clip's own, and how much less they are is not measured.
  private static let unseenSurprise = 1 / SeamThresholds.standard.jump
}
