/// The result of looking at one file: facts and measurements, no judgement. What a cache keeps, and
/// all that rules see.
public struct Inspection: Sendable, Equatable, Codable {
  public var facts: MediaFacts
  /// `nil` when the clip has a single frame.
  public var seam: SeamMeasurement?
  /// The first displayed frame, reduced.
  public var firstFrame: PictureSignature?
  /// How the frames were reached.
  public var decoding: DecodingEffort
  /// Whether the preview's colours were mapped from high dynamic range.
  public var previewIsToneMapped: Bool
  /// Flashes, borders and the first frame; always measured, `nil` only in inspections that were kept by versions
  /// without it.
  public var looks: LooksMeasurement?

  public struct DecodingEffort: Sendable, Equatable, Codable {
    /// Why every packet was decoded; `nil` when the ends were enough.
    public var fallback: FullDecode?
    public var packetsDecoded: Int
    /// Packets that end early or that the decoder refused, and frames it had to mend.
    public var errorCount: Int
    /// Displayed frames the container promises but the decoder did not give; zero in quick mode.
    public var missingFrames: Int
    /// The container says that there is more after the end of the file, without saying how many frames.
    public var endsEarly = false

    var isCutShort: Bool { missingFrames > 0 || endsEarly }
  }

  /// Why a clip was decoded from its first packet to its last.
  public enum FullDecode: String, Sendable, Codable {
    /// The caller asked for it.
    case requested
    /// Packets that the container lists cannot be read.
    case missingPackets = "missing-packets"
    /// Packets carry palettes or new set-up data.
    case changingSetup = "changing-setup"
    /// The edit list joins several parts of the media.
    case severalEdits = "several-edits"
    /// Timestamps are missing or repeat: the order of frames shows only in decoding.
    case ambiguousTimestamps = "ambiguous-timestamps"
    /// None of the last key frames can be started from.
    case noKeyFrame = "no-key-frame"
    /// A packet was refused or a frame did not come out.
    case undecodablePacket = "undecodable-packet"
  }
}
