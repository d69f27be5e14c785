/// The clip's own motion around every frame.
struct ClipMotion {
  /// Steps from each frame to the next, in 8-bit code values: one less than frames.
  let steps: [Double]
  /// Steps from each frame to the one after the next.
  private let doubleSteps: [Double]
  private let usual: [Double]
  private let usualDouble: [Double]

  /// Steps on either side that count as "around".
  private static let reach = 3

  init(frameCount: Int, distance: (Int, Int) -> Double) {
    steps = (0..<max(0, frameCount - 1)).map { distance($0, $0 + 1) }
    doubleSteps = (0..<max(0, frameCount - 2)).map { distance($0, $0 + 2) }
    usual = Self.medians(of: steps, count: frameCount + 1)
    usualDouble = Self.medians(of: doubleSteps, count: frameCount + 1)
  }

  /// The clip's own step where a part starts with frame `start` and ends before `end`: the mean of the
  /// usual ones at both. Medians, so that a cut nearby does not count.
  func own(_ start: Int, _ end: Int) -> Double { (usual[start] + usual[end]) / 2 }

  /// The clip's own difference over two steps where a part starts with frame `start` and ends before `end`.
  func ownDouble(_ start: Int, _ end: Int) -> Double {
    (usualDouble[start] + usualDouble[end]) / 2
  }

  /// Returns the median of the steps around each place between frames.
  private static func medians(of steps: [Double], count: Int) -> [Double] {
    (0..<count).map { place in
      let around = steps[min(steps.count, max(0, place - reach))..<min(steps.count, place + reach)]
        .sorted()
      guard !around.isEmpty else { return 0 }
      return (around[(around.count - 1) / 2] + around[around.count / 2]) / 2
    }
  }
}
