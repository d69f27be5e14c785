/// The result of looking at one file: facts and measurements, no judgement. What a cache keeps, and
/// all that rules see.
public struct Inspection: Sendable, Equatable, Codable {
  public var facts: MediaFacts
  /// `nil` when the clip has a single frame.
  public var seam: SeamMeasurement?
  /// How the frames were reached.
  public var decoding: DecodingEffort
  /// Whether the preview's colours were mapped from high dynamic range.
  public var previewIsToneMapped: Bool

  public struct DecodingEffort: Sendable, Equatable, Codable {
    /// Every packet was decoded because the quick way was not safe or not possible.
    public var full: Bool
    public var packetsDecoded: Int
    /// Packets the decoder refused.
    public var errorCount: Int
    /// Displayed frames the container promises but the decoder did not give; zero in quick mode.
    public var missingFrames: Int
  }
}
