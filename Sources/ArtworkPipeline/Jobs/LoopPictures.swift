/// How large the animation of ``LoopFinder`` gets.
enum LoopPictures {
  /// The box of the animation: large enough to see a seam, small enough to send in a message.
  static let animation = PixelSize(width: 320, height: 320)
  /// Frames of the animation: 1.5 s at 60 fps. At higher rates only every second, third... frame is used.
  static let mostFrames = 90
}
