public import ArtworkLottie

/// What an inspection is to find out and to draw.
public struct InspectionRequest: Sendable, Equatable, Codable {
  public var preview: Inspector.PreviewRequest
  /// The file format of the preview.
  public var previewFormat: PreviewFormat
  /// Decode every frame instead of those at the ends: slower, and finds damage in the middle.
  public var everyFrame: Bool
  /// Decode every frame where the ends leave a rule other than the loop's in doubt: a blank first frame, and a
  /// flash if `countsFlashes`.
  public var settlesDoubts: Bool
  public var countsFlashes: Bool
  /// Make small pictures for reports.
  public var exhibit: Bool
  /// Take a still picture and refuse every other file, for static covers.
  public var still: Bool
  /// How a vector animation is changed before it is drawn, as the preview needs it. The inspection is then that of the
  /// changed animation at the preview's size.
  public var animation: AnimationEdits?

  public init(
    preview: Inspector.PreviewRequest = .none, previewFormat: PreviewFormat = .png,
    everyFrame: Bool = false, settlesDoubts: Bool = false, countsFlashes: Bool = false,
    exhibit: Bool = false, still: Bool = false, animation: AnimationEdits? = nil
  ) {
    self.preview = preview
    self.previewFormat = previewFormat
    self.everyFrame = everyFrame
    self.settlesDoubts = settlesDoubts
    self.countsFlashes = countsFlashes
    self.exhibit = exhibit
    self.still = still
    self.animation = animation
  }

  /// The size that an animation of this size is drawn at: that of the preview, where the facts are of no interest.
  func drawnSize(of size: PixelSize) -> PixelSize {
    guard animation != nil, case .fitted(let box) = preview else { return size }
    return size.fitted(inside: box)
  }
}
