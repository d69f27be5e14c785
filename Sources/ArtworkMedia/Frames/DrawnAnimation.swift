import ArtworkLottie
import Synchronization

/// An animation whose frames are rendered on demand.
///
/// A class because the pictures of a sequence may be requested from any thread, and the renderer draws one at a time.
final class DrawnAnimation: Sendable {
  private let renderer: Mutex<AnimationRenderer>
  /// Frames that are drawn, of the animation's.
  private let frames: Range<Int>

  private init(_ renderer: consuming sending AnimationRenderer, frames: Range<Int>) {
    self.renderer = Mutex(renderer)
    self.frames = frames
  }

  /// The pictures of an animation, one for each of its frames.
  ///
  /// - Parameters:
  ///   - bytes: a whole file.
  ///   - drawnSize: receives the animation's size, returns the size to render at.
  ///   - Throws: the error in the file or in the edits; `too-many-frames` or `too-large`.
  static func pictures(
    of bytes: [UInt8], _ edits: AnimationEdits, drawnSize: (PixelSize) -> PixelSize, limits: Limits
  ) throws(InspectionError) -> PictureSequence {
    let file = try AnimationFile(bytes, animation: edits.animation)
    var animation = file.animation
    let frames = try animation.apply(edits)
    // Before they are listed.
    guard frames.count <= limits.frames else {
      throw InspectionError(
        .tooManyFrames, "the animation has \(frames.count) frames (limit \(limits.frames))")
    }
    let drawn = DrawnAnimation(try AnimationRenderer(animation), frames: frames)
    let size = drawnSize(animation.size).limitedForPreview
    var pictures = try PictureSequence(
      size: size,
      durations: Array(repeating: animation.frameRate.inverse ?? .one, count: frames.count),
      origin: PictureSequence.Origin(
        container: file.form.rawValue, format: "rlottie", codec: "lottie")
    ) { number throws(InspectionError) in
      PixelImage(
        size: size, channels: .rgba,
        bytes: drawn.renderer.withLock {
          $0.draw(frame: drawn.frames.lowerBound + number, size: size)
        })
    }
    pictures.limitations = animation.limitations
    pictures.firstNumber = animation.startFrame + frames.lowerBound
    try limits.check(pictures)
    return pictures
  }
}
