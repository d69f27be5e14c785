/// The view comes closer to the middle of the picture and goes back.
struct BreatheEffect: Effect {
  static let kind = Motion.Kind.breathe

  /// How much closer it comes at strength 1.
  private static let depth = 0.04
  /// The share of the time that breathing in takes; breathing out takes longer.
  private static let turn = 0.44

  private let cover: CoverView
  let path: MotionPath

  init(_ cover: CoverView, _ motion: Motion) {
    self.cover = cover
    path = MotionPath(depth: Self.depth * motion.reach, turn: Self.turn)
  }

  func picture(at phase: Double) throws(InspectionError) -> PixelImage {
    try cover.draw(path.view(at: phase))
  }
}
