/// A clip that is a sequence of pictures: frames that were exported one by one, or a vector animation that is drawn
/// frame by frame. ``Inspector/inspect(_:preview:everyFrame:)`` measures it as it measures a video.
package struct PictureSequence: Sendable {
  /// Makes one picture; the first has number 0. May be called for any picture, and repeatedly.
  package typealias Draw = @Sendable (_ number: Int) throws(InspectionError) -> PixelImage

  /// The container and codec of a sequence in the facts.
  package struct Origin: Sendable, Equatable {
    /// The container's name, for example `webp`.
    package var container: String
    /// The demuxer of the file.
    package var format: String
    /// The codec's name, for example `webp`.
    package var codec: String

    /// Pictures in memory, or drawn by a caller.
    package static let pictures = Origin(
      container: "pictures", format: "pictures", codec: "rawvideo")
  }

  package let origin: Origin
  /// Pixels of each picture, which are square.
  package let size: PixelSize
  /// The duration of each picture, in seconds.
  package let durations: [Rational]
  /// The features of an animation that are not drawn; `nil` for pictures that are not rendered.
  package var limitations: [Limitation]?
  /// Pictures with a delay of 0 or 10 ms in the file, which last 100 ms as in browsers.
  package var shortDelays = 0
  /// Bits of a sample in the file; pictures have 8.
  package var bitDepth = 8
  /// See ``MediaFacts/isMisnumbered``.
  package var isMisnumbered: Bool?
  /// See ``MediaFacts/playCount``.
  package var playCount: Int?
  /// The number that an animation gives its first picture; 0 for others.
  package var firstNumber = 0
  private let draw: Draw

  /// A sequence of pictures that are all in memory.
  ///
  /// - Parameters:
  ///   - pictures: of one size.
  ///   - durations: as many, in seconds.
  /// - Throws: `no-frames` without a picture, `decode-failed` for a duration that is not above zero or a picture
  ///   of another size than the first.
  package init(_ pictures: [PixelImage], durations: [Rational]) throws(InspectionError) {
    precondition(pictures.count == durations.count, "each picture has a duration")
    guard let first = pictures.first else { throw Self.nothing }
    try self.init(size: first.size, durations: durations) { pictures[$0] }
    for (number, picture) in pictures.enumerated() { try check(picture, number) }
  }

  /// A sequence whose pictures are made one at a time, when they are needed.
  ///
  /// - Parameters:
  ///   - durations: of each picture in seconds.
  ///   - origin: container and codec in the facts, for pictures from a file.
  ///   - draw: runs on the thread that inspects.
  /// - Throws: as above. A picture of another size is found when it is drawn.
  package init(
    size: PixelSize, durations: [Rational], origin: Origin = .pictures, draw: @escaping Draw
  ) throws(InspectionError) {
    guard !durations.isEmpty else { throw Self.nothing }
    guard durations.allSatisfy({ $0 > Rational(0) }) else {
      throw InspectionError(.decodeFailed, "each picture needs a duration above zero")
    }
    self.origin = origin
    self.size = size
    self.durations = durations
    self.draw = draw
  }

  private static let nothing = InspectionError(.noFrames, "the sequence holds no pictures")

  /// Picture `number`, drawn now.
  package func picture(_ number: Int) throws(InspectionError) -> PixelImage {
    let picture = try draw(number)
    try check(picture, number)
    return picture
  }

  private func check(_ picture: PixelImage, _ number: Int) throws(InspectionError) {
    guard picture.size == size else {
      throw InspectionError(
        .decodeFailed, "picture \(number) has \(picture.size) pixels; the others have \(size)")
    }
  }
}

extension Limits {
  /// - Throws: `too-large` or `too-many-frames`. The length is checked when the frames are read.
  package func check(_ pictures: PictureSequence) throws(InspectionError) {
    guard Int64(clamping: pictures.size.area) <= pixels else {
      throw InspectionError(
        .tooLarge, "the pictures have \(pictures.size) pixels; at most \(pixels) are inspected")
    }
    guard pictures.durations.count <= frames else {
      throw InspectionError(.tooManyFrames, "the sequence has more than \(frames) pictures")
    }
  }
}
