/// What an inspection is to find out and to draw.
public struct InspectionRequest: Sendable, Equatable, Codable {
  public var preview: Inspector.PreviewRequest
  /// The file format of the preview.
  public var previewFormat: PreviewFormat
  /// Decode every frame instead of those at the ends: slower, finds damage in the middle, and
  /// settles seams that the ends leave in doubt.
  public var everyFrame: Bool
  /// Make small pictures for reports.
  public var exhibit: Bool

  public init(
    preview: Inspector.PreviewRequest = .none, previewFormat: PreviewFormat = .png,
    everyFrame: Bool = false, exhibit: Bool = false
  ) {
    self.preview = preview
    self.previewFormat = previewFormat
    self.everyFrame = everyFrame
    self.exhibit = exhibit
  }
}
