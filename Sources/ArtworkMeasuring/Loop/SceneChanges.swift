/// Where a clip shows another scene: the numbers of the frames that begin it.
struct SceneChanges {
  /// Sudden ones.
  private(set) var cuts: [Int] = []
  /// Slow ones: dissolves, and fades to and from a plain picture.
  private(set) var dissolves: [Range<Int>] = []

  /// Below this likeness two frames show different scenes.
  private static let alike = 0.5
  /// A cut is a step of so many usual ones, and of so many code values.
  private static let (cutStep, leastStep) = (2.0, 6.0)
  /// The frames at a cut correlate less than this, and by so much less than those beside it; the next frame but one is as
  /// foreign, or it is a flash.
  private static let (sameScene, drop, sameAgain) = (0.6, 0.25, 0.75)
  /// Half the lengths of dissolves that are looked for, in seconds.
  private static let halves = [0.2, 0.4, 0.8]
  /// The ends of a dissolve differ by so much, in code values; the frames in it differ by at most this share of that from a mix of
  /// its ends, which motion does not.
  private static let (leastChange, mostRest) = (12.0, 0.15)

  init(_ clip: ReducedClip, times: [Double]) {
    guard clip.count > LoopReport.fewestFrames, let first = times.first, let last = times.last,
      last > first
    else { return }
    func differ(_ a: Int, _ b: Int) -> Bool {
      PictureLikeness.of(
        clip.signature(a), aspect: 1, clip.signature(b), aspect: 1, enough: Self.alike) < Self.alike
    }
    let steps = (1..<clip.count).map { clip.coarseDistance($0 - 1, $0) }
    func likeness(_ step: Int) -> Double { clip.coarseCorrelation(step, step + 1) }
    for (index, step) in steps.enumerated() where step >= Self.leastStep {
      let own = likeness(index)
      guard own < Self.sameScene else { continue }
      let around = steps[max(0, index - 3)..<min(steps.count, index + 4)].sorted()
      let beside = [index - 1, index + 1].filter(steps.indices.contains)
      if step > Self.cutStep * around[around.count / 2],
        beside.allSatisfy({ likeness($0) > own + Self.drop }),
        clip.coarseCorrelation(index, min(clip.count - 1, index + 2)) < Self.sameAgain
      {
        cuts.append(index + 1)
      }
    }
    let framesPerSecond = Double(clip.count) / (last - first)
    for seconds in Self.halves {
      let half = max(2, wholeNumber((seconds * framesPerSecond).rounded()) ?? 2)
      for middle in stride(from: half, to: clip.count - half, by: max(1, half / 4)) {
        let (start, end) = (middle - half, middle + half)
        guard clip.coarseDistance(start, end) >= Self.leastChange,
          !cuts.contains(where: { $0 > start && $0 <= end }),
          [0.25, 0.5, 0.75].allSatisfy({ clip.rest(of: start, end, share: $0) <= Self.mostRest }),
          differ(start, end)
        else { continue }
        dissolves.append(start..<end)
      }
    }
  }

  /// Whether a part has no slow change.
  func isSteady(_ frames: Range<Int>) -> Bool { !dissolves.contains { $0.overlaps(frames) } }

  /// The longest part of some frames that shows one scene.
  func longestScene(in frames: Range<Int>) -> Range<Int> {
    var (best, start) = (frames.lowerBound..<frames.lowerBound, frames.lowerBound)
    for frame in frames {
      let mixes = dissolves.contains { $0.contains(frame) }
      if mixes || cuts.contains(frame) { start = mixes ? frame + 1 : frame }
      if frame + 1 - start > best.count { best = start..<frame + 1 }
    }
    return best
  }
}
