/// Measurements of a clip's appearance, apart from its seam. Rules judge them.
package struct AppearanceMeasurement: Sendable, Equatable, Codable {
  /// Which frames were decoded.
  package var scope: SeamMeasurement.Scope
  /// `nil` for a single frame, and if frames have no usable timestamps.
  package var flash: FlashMeasurement?
  /// `nil` for pictures that are not planar Y'CbCr.
  package var borders: Borders?
  package var firstFrame: FirstFrame
  /// Square inside the first frame; `nil` for pictures that are not tall.
  package var inset: Inset?
  /// Soft strips beside the first frame's picture; `nil` if there are none.
  package var softBars: SoftBars?
  /// The mean difference of the first frame's luma from its surroundings; see ``Thumbnail/sharpness``.
  package var sharpness: Double?
  /// The share of the first frame's detail above half of the finest frequency, where it is sharpest, from 0 to 1; `nil` for
  /// pictures that are not planar Y'CbCr, that are small, or that have too little contrast to measure.
  package var fineDetail: Double?
  /// The share of the edges of an encoder's blocks that show in the first frame, from 0 to 1; `nil` for pictures that
  /// are not planar Y'CbCr or small. 0 if the picture is drawn in even squares.
  package var blockEdges: Double?
  /// The share of the first frame's rows and columns in stairs of flat bands, from 0 to 1; `nil` like the edges of blocks.
  package var bands: Double?
  /// How frames repeat; `nil` if they do not, or if only the ends were decoded.
  package var cadence: Cadence?
}

/// How much content the first displayed frame has, compared with the others.
package struct FirstFrame: Sendable, Equatable, Codable {
  package var content: PictureContent
  /// The largest of all decoded frames.
  package var largest: PictureContent
  /// The mean luma of the first frame, in 8-bit code values as coded.
  package var luma: Double
  /// When the spread first reaches half of the largest, in seconds from the first frame; `nil` if only the ends were
  /// decoded, or if timestamps are unusable.
  package var pictureSeconds: Double?
}

/// How much a picture differs from a plain colour.
package struct PictureContent: Sendable, Equatable, Codable {
  /// The largest difference between the means of any two of 16x16 cells, in luma or in chroma, in 8-bit code values: 0
  /// for a plain colour, below 3 with grain.
  package var spread: Double
  /// The share of pixels whose luma is more than 32 (of 255) from the mean, from 0 to 1. It reveals details that are too
  /// small for the cells, such as stars. Counted in up to 64 rows; 0 for pictures that are not planar Y'CbCr.
  package var points: Double = 0

  package init(spread: Double, points: Double = 0) {
    self.spread = spread
    self.points = points
  }
}
