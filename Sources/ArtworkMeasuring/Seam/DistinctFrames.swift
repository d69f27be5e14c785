/// The frames near a seam without those that repeat the one before, as animation on twos and threes does.
struct DistinctFrames {
  /// Frames at each end that take part.
  static let most = 6

  let clip: SeamClip
  /// Numbers of frames, up to the last and from the first on.
  let tail: [Int]
  let head: [Int]
  /// The number of frames for which a drawing is held.
  let hold: Int

  init(_ window: SeamWindow) {
    clip = window.clip
    let (tail, tailHold) = Self.distinct(window.tail, window.tailSteps)
    let (head, headHold) = Self.distinct(window.head, window.headSteps)
    self.tail = tail.suffix(Self.most)
    self.head = Array(head.prefix(Self.most))
    hold = max(tailHold, headHold)
  }

  /// All of them in loop order.
  var loop: [Int] { tail + head }

  /// A frame that lasts this multiple of the usual duration is followed by more motion than others.
  private static let long = 1.5
  /// If more frames than this last so long, the frame rate is variable.
  private static let mostLong = 2

  /// Whether each frame of ``loop`` follows the one before after the usual time. After a longer one the motion is
  /// larger, which does not represent the motion of others: a clip that was cut without encoding may lack frames
  /// before its end.
  var followsInTime: [Bool] {
    let always = [Bool](repeating: true, count: loop.count)
    guard let times = clip.clock?.timestamps, times.count == clip.count else { return always }
    let waits = loop.indices.map { index in
      index == 0 || index == tail.count
        ? nil : Double(times[loop[index]].subtractingClamped(times[loop[index - 1]]))
    }
    guard let usual = waits.compactMap({ $0 }).median else { return always }
    let follows = waits.map { $0.map { $0 <= Self.long * usual } ?? true }
    return follows.count { !$0 } > Self.mostLong ? always : follows
  }

  private static func distinct(_ numbers: [Int], _ steps: [Double]) -> (frames: [Int], hold: Int) {
    let still = SeamWindow.stillStep(steps)
    let repeats = steps.map { $0 < still }
    let runs = repeats.runLengths
    let share = Double(repeats.count { $0 }) / Double(max(1, repeats.count))
    // Coding leaves steps in a still picture as well.
    let drawn = steps.filter { $0 >= still }
    // Twos repeat half of the frames, threes two thirds; a pause is one run.
    guard drawn.count >= 2, (drawn.median ?? 0) > SeamThresholds.standard.still,
      runs.count >= 2, share >= 0.3,
      let longest = runs.max(), longest <= 3
    else { return (numbers, 1) }
    let usual = Int(runs.map(Double.init).median ?? 0)
    let distinct = [numbers[0]] + steps.indices.filter { !repeats[$0] }.map { numbers[$0 + 1] }
    return (distinct, usual + 1)
  }
}

extension [Bool] {
  /// The lengths of the runs of `true`.
  var runLengths: [Int] { split(separator: false).map(\.count) }
}
