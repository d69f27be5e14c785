/// The view comes closer and goes back: to the middle of the picture and on the same way, or across it and by another way.
struct ViewEffect: Effect {
  let kind: Motion.Kind
  private let cover: CoverView
  let path: MotionPath

  init(_ kind: Motion.Kind, _ cover: CoverView, _ motion: Motion) {
    (self.kind, self.cover) = (kind, cover)
    // How much closer it comes at strength 1. Breathing in takes less of the time than breathing out; what drifts wanders
    // along no side of the picture.
    path =
      kind == .breathe
      ? MotionPath(depth: 0.04 * motion.reach, turn: 0.44)
      : MotionPath(depth: 0.06 * motion.reach, direction: 2.7113703706918337)
  }

  func picture(at phase: Double) throws(InspectionError) -> PixelImage {
    try cover.draw(path.view(at: phase))
  }
}
