public import FoundationEssentials

/// The animated artwork of an item in all its shapes, like `AnimatedArtwork` of the NowPlaying framework: one ID, and
/// providers that get a size in pixels and a shape. It is a part of ``MediaContent``.
///
/// ```swift
/// AnimatedArtwork(id: "album-7", supportedAspectRatios: [.square, .tall], video: { _, ratio in
///   ratio == .square ? squareLoop : tallLoop
/// })
/// ```
public struct AnimatedArtwork: Sendable {
  public typealias AspectRatio = ArtworkKey
  /// Returns a still picture of any size in the shape.
  public typealias PreviewProvider =
    @Sendable (PixelSize, AspectRatio) async throws -> ArtworkRepresentation
  /// Returns the URL of a local file that stays valid while a session publishes the artwork, or of one on the web
  /// that the service may fetch. If a provider throws, the shape is left out, and the provider is called again when
  /// the session is updated.
  public typealias VideoProvider = @Sendable (PixelSize, AspectRatio) async throws -> URL

  /// The shapes that systems show.
  public static let compatibleAspectRatios = AspectRatio.allCases

  /// Changes whenever a preview or a video does.
  public var id: ArtworkID
  public var supportedAspectRatios: [AspectRatio]
  /// `nil` if there is none. It is called for a video on the web: its picture is shown until the video's first frame is
  /// there, from which all other previews are made.
  public var preview: PreviewProvider?
  public var video: VideoProvider

  public init(
    id: ArtworkID, supportedAspectRatios: [AspectRatio] = [.square],
    preview: PreviewProvider? = nil, video: @escaping VideoProvider
  ) {
    self.id = id
    self.supportedAspectRatios = supportedAspectRatios
    self.preview = preview
    self.video = video
  }

  /// `nil` for an ID that is empty or longer than ``ExactIdentity/longest``.
  public init?(
    id: String, supportedAspectRatios: [AspectRatio] = [.square],
    preview: PreviewProvider? = nil, video: @escaping VideoProvider
  ) {
    guard let id = ArtworkID(id) else { return nil }
    self.init(
      id: id, supportedAspectRatios: supportedAspectRatios, preview: preview, video: video)
  }
}

/// Compares ID and shapes: the content behind an ID does not change.
extension AnimatedArtwork: Equatable {
  public static func == (one: Self, other: Self) -> Bool {
    one.id == other.id && Set(one.supportedAspectRatios) == Set(other.supportedAspectRatios)
  }
}

/// A preview as the bytes of a PNG file.
public struct PreviewImage: Sendable, Equatable {
  public var png: [UInt8]
  public var size: PixelSize

  public init(png: [UInt8], size: PixelSize) {
    self.png = png
    self.size = size
  }
}

/// A player's now-playing state, like `MediaSessionRepresentable` of the NowPlaying framework. All requirements are
/// asynchronous, so a class on the main actor, another actor or a plain value can conform.
public protocol MediaSessionRepresentable: Sendable {
  /// The name of the session, 1 to ``ExactIdentity/longest`` bytes.
  var id: String { get async }
  /// Content with its ``MediaContent/animatedArtwork``; `nil` while nothing is loaded.
  var content: MediaContent? { get async }
  var playbackSnapshot: PlaybackSnapshot? { get async }
  /// The static artwork, for when no animated artwork is shown; `nil` by default.
  var artwork: Artwork? { get async }
  /// The commands that the player carries out; if several have the same name, the last one counts. None by default.
  var commands: [MediaCommand] { get async }
  /// Whether the audio mixes, see ``MediaSession/mixesWithOthers``; `false` by default.
  var mixesWithOthers: Bool { get async }
  /// `always` by default.
  var eligibility: Eligibility { get async }
  /// Codecs that the player plays, see ``MediaSession/videoCodecs``; `nil` by default.
  var videoCodecs: Set<String>? { get async }
}

extension MediaSessionRepresentable {
  public var artwork: Artwork? { get async { nil } }
  public var commands: [MediaCommand] { [] }
  public var mixesWithOthers: Bool { false }
  public var eligibility: Eligibility { .always }
  public var videoCodecs: Set<String>? { nil }
}
