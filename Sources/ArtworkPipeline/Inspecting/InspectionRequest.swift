/// The measurements and pictures that an inspection is to produce.
package struct InspectionRequest: Sendable, Equatable, Codable {
  package var preview: Inspector.PreviewRequest
  /// The file format of the preview.
  package var previewFormat: FileFormat
  /// Measure nothing: read only the first frame and the last, which the facts need.
  package var onlyPreview: Bool
  /// Decode every frame instead of those at the ends: slower, and finds damage in the middle.
  package var everyFrame: Bool
  /// Whether to decode every frame if the ends leave a rule other than the loop's undecided: a blank first frame, and
  /// a flash if `countsFlashes`.
  package var settlesDoubts: Bool
  package var countsFlashes: Bool
  /// Make small pictures for reports.
  package var reportImages: Bool
  /// Whether to accept only a still picture, for static covers.
  package var still: Bool
  /// How a vector animation is changed before it is drawn, as the preview needs it. The inspection is then that of the
  /// changed animation at the preview's size.
  package var animation: AnimationEdits?

  package init(
    preview: Inspector.PreviewRequest = .none, previewFormat: FileFormat = .png,
    onlyPreview: Bool = false, everyFrame: Bool = false, settlesDoubts: Bool = false,
    countsFlashes: Bool = false,
    reportImages: Bool = false, still: Bool = false, animation: AnimationEdits? = nil
  ) {
    self.preview = preview
    self.previewFormat = previewFormat
    self.onlyPreview = onlyPreview
    self.everyFrame = everyFrame
    self.settlesDoubts = settlesDoubts
    self.countsFlashes = countsFlashes
    self.reportImages = reportImages
    self.still = still
    self.animation = animation
  }

  /// The size to render an animation of this size at: that of the preview, if the facts are irrelevant.
  func drawnSize(of size: PixelSize) -> PixelSize {
    guard animation != nil, case .fitted(let box) = preview else { return size }
    return size.fitted(inside: box)
  }
}

/// The result of inspecting a candidate.
package struct InspectedCandidate: Sendable {
  package var inspection: Inspection
  /// The bytes of a file in the format of the request; `nil` if the request has none.
  package var preview: [UInt8]?
  /// `nil` if the request has none.
  package var reportImages: ReportImages?

  package init(
    inspection: Inspection, preview: [UInt8]? = nil, reportImages: ReportImages? = nil
  ) {
    self.inspection = inspection
    self.preview = preview
    self.reportImages = reportImages
  }
}
