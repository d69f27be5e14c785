/// Small pictures and numbers of a candidate, made for people to look at.
public struct Exhibit: Sendable, Equatable {
  /// The first displayed frame, the bytes of a JPEG file.
  public var preview: [UInt8]
  /// The last frames, then the first ones, side by side; the bytes of a JPEG file. Empty for a single frame.
  public var strip: [UInt8]
  /// How many frames of the strip come before the seam.
  public var framesBeforeSeam: Int
  /// Where the last and the first frame differ, the bytes of a PNG file. Empty for a single frame.
  public var heatMap: [UInt8]
  /// The differences of neighbouring frames, in code values, in presentation order; where there are more than
  /// ``mostSteps``, the largest of each group of neighbours. Of the ends only unless every frame was looked at.
  public var steps: [Double]
  /// The difference across the seam; `nil` for a single frame.
  public var seamStep: Double?

  public static let mostSteps = 400

  public init(
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
