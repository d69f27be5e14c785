/// The source of a clip's displayed frames: a decoded video (``OpenClip``), or pictures in memory or drawn on demand
/// (``PictureSequence``), which includes vector animations.
///
/// The seam, the looks, the preview and the small pictures of reports are made from a source's frames and do not
/// depend on its kind. A new source conforms to this protocol and its frames to ``SourceFrame``.
package protocol FrameSource: ~Copyable {
  /// Reads displayed frames and passes each to `reducer`: those at the ends, then those that it requests. Blocks.
  ///
  /// - Parameter everyFrame: whether to read every frame. A source may also do so otherwise, if it cannot seek to its
  ///   ends.
  /// - Throws: ``InspectionError``: errors of the source or the reducer.
  func readFrames(
    everyFrame: Bool, into reducer: inout some FrameReducer
  ) throws(InspectionError) -> ReadFrames
}

/// One displayed frame, lent to a ``FrameReducer`` while it is in memory.
package protocol SourceFrame: ~Copyable {
  /// The interpretation of the code values of ``thumbnail()``.
  var lightCodes: LightCodes { get }

  /// The frame reduced for comparison.
  func thumbnail() throws(InspectionError) -> Thumbnail

  /// Lends the visible luma at full size to `body`; `nil` if a frame is not stored as planes of Y'CbCr.
  @discardableResult
  func withLuma<R>(_ body: (_ luma: PlanarPixels.Plane, _ bitDepth: Int) -> R) -> R?

  /// The frame as displayed: cropped, with square pixels, upright, in sRGB.
  ///
  /// - Parameter size: receives the size on screen, returns the wanted size.
  func picture(size: (PixelSize) -> PixelSize) throws(InspectionError) -> PixelImage

  /// A part of the stored frame, scaled, in planar 4:2:0 in limited range.
  ///
  /// - Parameters:
  ///   - region: in stored pixels, at even places.
  ///   - matrix: of the result, by FFmpeg's name.
  ///   - bitDepth: of the result, 8 or 10.
  func planes(
    of region: CleanAperture, size: PixelSize, matrix: String, bitDepth: Int
  ) throws(InspectionError) -> Frame
}

extension SourceFrame where Self: ~Copyable {
  /// The picture, fitted inside `box`.
  package func picture(inside box: PixelSize) throws(InspectionError) -> PixelImage {
    try picture { $0.fitted(inside: box) }
  }
}

/// Receives the frames of a source one by one and stores what it needs of each.
package protocol FrameReducer {
  /// How many frames at each end it wants at first; at least 1.
  var endCount: Int { get }

  /// - Parameter place: identifies the frame. Number 0 comes first, and a second time if a source abandons the fast
  ///   path to its ends: all earlier frames are void then. Others come in presentation order if every frame is read,
  ///   else in any order.
  mutating func reduce(
    _ frame: borrowing some SourceFrame & ~Copyable, at place: FramePlace
  ) throws(InspectionError)

  /// How many frames at each end it wants of a clip with these keyframes: at most ``endCount``.
  mutating func ends(_ clock: ClipClock) -> Int

  /// Frames that it wants only if they are decoded on the way to those at the ends.
  mutating func glimpses(_ clock: ClipClock) -> Set<Int>

  /// The frames to read next, given those so far; not called if every frame is read.
  mutating func framesNeeded(_ clock: ClipClock) throws(InspectionError) -> FrameRequest
}

extension FrameReducer {
  package mutating func ends(_ clock: ClipClock) -> Int { endCount }

  package mutating func glimpses(_ clock: ClipClock) -> Set<Int> { [] }

  package mutating func framesNeeded(_ clock: ClipClock) throws(InspectionError) -> FrameRequest {
    .nothing
  }
}

/// Wants nothing but the times.
package struct EndReducer: FrameReducer {
  package let endCount = 1

  package func reduce(_ frame: borrowing some SourceFrame & ~Copyable, at place: FramePlace) {}
}

/// What a ``FrameSource`` reports about a clip after its frames were read.
package struct ReadFrames {
  package var clock: ClipClock
  /// The rotation from stored to displayed pictures.
  package var orientation: Orientation
  /// Facts that the source knows.
  package var facts: MediaFacts
  package var effort: Inspection.DecodingEffort
  /// Displayed frames that the source lists, but that the decoder did not output.
  var lostCount: Int
  /// The HDR metadata; `nil` for pictures.
  var light: MasteringLight? = nil
}
