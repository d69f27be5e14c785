/// The view comes closer, wanders across the picture and goes back by another way.
struct DriftEffect: Effect {
  static let kind = Motion.Kind.drift

  /// How much closer it comes at strength 1.
  private static let depth = 0.06
  /// Where it wanders, as an angle: along no side of the picture.
  private static let direction = 2.7113703706918337

  private let cover: CoverView
  let path: MotionPath

  init(_ cover: CoverView, _ motion: Motion) {
    self.cover = cover
    path = MotionPath(depth: Self.depth * motion.reach, direction: Self.direction)
  }

  func picture(at phase: Double) throws(InspectionError) -> PixelImage {
    try cover.draw(path.view(at: phase))
  }
}
