import ArtworkModel

/// Where the displayed frames of a clip come from: a video that is decoded (``OpenClip``), or pictures in memory or
/// drawn on demand (``PictureSequence``), which is how a vector animation comes in.
///
/// The seam, the looks, the preview and the small pictures of reports are made of what a source hands out and do not
/// know which source it is. A new source conforms to this protocol and its frames to ``SourceFrame``.
protocol FrameSource: ~Copyable {
  /// Reads displayed frames and gives each to `reducer`. Blocks.
  ///
  /// - Parameters:
  ///   - endCount: how many frames at each end are wanted; at least 1.
  ///   - everyFrame: read every frame. A source may also do so unasked, where it cannot reach its ends otherwise.
  /// - Throws: ``InspectionError``: what the source or the reducer throws.
  func readFrames<Reducer: FrameReducer>(
    endCount: Int, everyFrame: Bool, into reducer: inout Reducer
  ) throws(InspectionError) -> ReducedFrames<Reducer.Reduced>
}

/// One displayed frame, lent to a ``FrameReducer`` while it is in memory.
protocol SourceFrame: ~Copyable {
  /// What the code values of ``thumbnail()`` mean.
  var lightCodes: LightCodes { get }

  /// The frame reduced for comparison.
  func thumbnail() throws(InspectionError) -> Thumbnail

  /// Lends the visible luma at full size to `body`; `nil` where a frame is not stored as planes of Y'CbCr.
  @discardableResult
  func withLuma<R>(_ body: (_ luma: PlanarPixels.Plane, _ bitDepth: Int) -> R) -> R?

  /// The frame as it is shown: cropped, with square pixels, upright, in sRGB.
  ///
  /// - Parameter size: gets the size on screen, returns the size that is wanted.
  func picture(size: (PixelSize) -> PixelSize) throws(InspectionError) -> PixelImage
}

extension SourceFrame where Self: ~Copyable {
  /// The same, fitted inside `box`.
  func picture(inside box: PixelSize) throws(InspectionError) -> PixelImage {
    try picture { $0.fitted(inside: box) }
  }
}

/// Takes the frames of a source one by one and keeps of each what it needs.
protocol FrameReducer {
  /// What the source collects of each frame.
  associatedtype Reduced

  /// - Parameters:
  ///   - frame: the next one in presentation order where every frame is read, else any of those at the ends.
  ///   - isFirst: whether it is the first displayed one. It may come a second time, when a source gives up the quick
  ///     way to its ends: everything from before is void then.
  mutating func reduce(
    _ frame: borrowing some SourceFrame & ~Copyable, isFirst: Bool
  ) throws(InspectionError) -> Reduced
}
