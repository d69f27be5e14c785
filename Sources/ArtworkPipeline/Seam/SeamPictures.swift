/// The pictures near a seam that are compared with one another.
struct SeamPictures {
  /// From the first frame on.
  var head: [Thumbnail]
  /// Up to the last frame.
  var tail: [Thumbnail]
  /// How long each step among them lasts, in frame intervals, and the one across the seam.
  var headLengths: [Double]
  var tailLengths: [Double]
  var seamLength: Double

  /// The part of them that moves.
  var region: PictureRegion

  /// Seen from the seam: first frame first, and last frame first.
  func nearest(_ count: Int) -> (head: [Thumbnail], tail: [Thumbnail]) {
    (Array(head.prefix(count)), tail.suffix(count).reversed())
  }
}
