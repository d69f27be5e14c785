/// Small pictures and numbers of a candidate, for reports for people.
package struct ReportImages: Sendable, Equatable {
  /// The first displayed frame, the bytes of a JPEG file.
  package var preview: [UInt8]
  /// The last frames, then the first ones, side by side; the bytes of a JPEG file. Empty for a single frame.
  package var strip: [UInt8]
  /// The number of frames in the strip that come before the seam.
  package var framesBeforeSeam: Int
  /// A heat map of the differences of the last and the first frame, the bytes of a JPEG file. Empty for a single frame.
  package var heatMap: [UInt8]
  /// The differences of neighbouring frames, in code values, in presentation order. If there are more than
  /// ``mostSteps``, each number is the largest of a group of neighbours. Covers only the ends of the clip unless every
  /// frame was decoded.
  package var steps: [Double]
  /// The difference across the seam; `nil` for a single frame.
  package var seamStep: Double?

  /// The crop that would make the shape that the release lacks, the bytes of a JPEG file. Not stored with the others. Empty
  /// if none is lacking.
  package var crop: [UInt8] = []

  package static let mostSteps = 400

  package init(
    preview: [UInt8], strip: [UInt8], framesBeforeSeam: Int, heatMap: [UInt8], steps: [Double],
    seamStep: Double?
  ) {
    self.preview = preview
    self.strip = strip
    self.framesBeforeSeam = framesBeforeSeam
    self.heatMap = heatMap
    self.steps = steps
    self.seamStep = seamStep
  }
}
