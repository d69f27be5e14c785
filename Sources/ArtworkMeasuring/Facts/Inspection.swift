/// The facts and measurements of one file, without judgement. The cache stores this, and it is the only thing about
/// the file that rules see.
public struct Inspection: Sendable, Equatable, Codable {
  public var facts: MediaFacts
  /// `nil` if the clip has a single frame.
  package var seam: SeamMeasurement?
  /// The first displayed frame, reduced to a signature.
  package var firstFrame: PictureSignature?
  /// How the frames were decoded.
  package var decoding: DecodingEffort
  /// Whether the preview was tone-mapped from HDR.
  public var previewIsToneMapped: Bool
  /// Flashes, borders, the first frame and an inset cover; `nil` only in cached inspections of versions that did not
  /// measure them.
  package var looks: AppearanceMeasurement?

  package struct DecodingEffort: Sendable, Equatable, Codable {
    /// Why every packet was decoded; `nil` if the ends were enough.
    package var fallback: FullDecode?
    package var packetsDecoded: Int
    /// Packets that end early or that the decoder rejected, and frames that it had to repair.
    package var errorCount: Int
    /// Displayed frames that the container declares but the decoder did not return; 0 if only the ends were decoded.
    package var missingFrames: Int
    /// The container declares more data than the file has, without a number of frames.
    package var endsEarly = false

    package var isCutShort: Bool { missingFrames > 0 || endsEarly }

    /// What is left of a clip that is cut short, in words; `nil` for a whole one.
    ///
    /// - Parameter shown: the number of its frames.
    package func rest(of shown: Int) -> String? {
      guard isCutShort else { return nil }
      return missingFrames > 0
        ? "\(shown) of \(shown.addingClamped(missingFrames)) frames"
        : "\(counted(shown, "frame")) before the file ends"
    }

    package init(
      fallback: FullDecode? = nil, packetsDecoded: Int, errorCount: Int, missingFrames: Int,
      endsEarly: Bool = false
    ) {
      self.fallback = fallback
      self.packetsDecoded = packetsDecoded
      self.errorCount = errorCount
      self.missingFrames = missingFrames
      self.endsEarly = endsEarly
    }
  }

  /// Why a clip was decoded from its first packet to its last.
  package enum FullDecode: String, Sendable, Codable {
    /// The caller requested it.
    case requested
    /// Packets that the container lists cannot be read.
    case missingPackets = "missing-packets"
    /// Packets carry palettes or new codec parameters.
    case changingSetup = "changing-setup"
    /// The edit list joins several parts of the media.
    case severalEdits = "several-edits"
    /// Timestamps are missing, repeat, or contradict the order of frames, so only decoding reveals it.
    case ambiguousTimestamps = "ambiguous-timestamps"
    /// Decoding cannot start at any of the last keyframes.
    case noKeyFrame = "no-key-frame"
    /// The decoder rejected a packet or did not return a frame.
    case undecodablePacket = "undecodable-packet"
  }

  package init(
    facts: MediaFacts, seam: SeamMeasurement? = nil, firstFrame: PictureSignature? = nil,
    decoding: DecodingEffort, previewIsToneMapped: Bool, looks: AppearanceMeasurement? = nil
  ) {
    self.facts = facts
    self.seam = seam
    self.firstFrame = firstFrame
    self.decoding = decoding
    self.previewIsToneMapped = previewIsToneMapped
    self.looks = looks
  }
}
