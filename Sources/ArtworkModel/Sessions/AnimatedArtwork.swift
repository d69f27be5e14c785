public import FoundationEssentials

/// One variant of an item's animated artwork, like `MPMediaItemAnimatedArtwork` of the MediaPlayer framework: an ID and two
/// handlers, which are called when the artwork is shown.
public struct AnimatedArtwork: Sendable {
  /// Changes whenever the preview or the video does.
  public var artworkID: ArtworkID
  public var previewImageRequestHandler: PreviewImageRequestHandler
  public var videoAssetFileURLRequestHandler: VideoAssetFileURLRequestHandler

  /// Receives the wanted size in pixels; returns a preview of any size with the right aspect, or `nil`.
  public typealias PreviewImageRequestHandler = @Sendable (PixelSize) async -> PreviewImage?
  /// Receives the wanted size in pixels; returns the URL of a local file that stays valid while a session publishes the
  /// artwork, or `nil`. The system waits up to 30 s.
  public typealias VideoAssetFileURLRequestHandler = @Sendable (PixelSize) async -> URL?

  public init(
    artworkID: ArtworkID,
    previewImageRequestHandler: @escaping PreviewImageRequestHandler,
    videoAssetFileURLRequestHandler: @escaping VideoAssetFileURLRequestHandler
  ) {
    self.artworkID = artworkID
    self.previewImageRequestHandler = previewImageRequestHandler
    self.videoAssetFileURLRequestHandler = videoAssetFileURLRequestHandler
  }

  /// `nil` for an ID that is empty or longer than ``ExactIdentity/longest``.
  public init?(
    artworkID: String,
    previewImageRequestHandler: @escaping PreviewImageRequestHandler,
    videoAssetFileURLRequestHandler: @escaping VideoAssetFileURLRequestHandler
  ) {
    guard let artworkID = ArtworkID(artworkID) else { return nil }
    self.init(
      artworkID: artworkID, previewImageRequestHandler: previewImageRequestHandler,
      videoAssetFileURLRequestHandler: videoAssetFileURLRequestHandler)
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

/// A source of what a player plays, like `MediaSessionRepresentable` of the NowPlaying framework. All requirements are
/// asynchronous, so a class of the main actor, another actor or a plain value can conform.
public protocol MediaSessionRepresentable: Sendable {
  /// The name of the session, 1 to ``ExactIdentity/longest`` bytes.
  var id: String { get async }
  /// `nil` while nothing is loaded.
  var content: MediaContent? { get async }
  var playbackSnapshot: PlaybackSnapshot? { get async }
  var animatedArtwork: [ArtworkKey: AnimatedArtwork] { get async }
  /// What is shown where no animated artwork is; `nil` by default.
  var artwork: Artwork? { get async }
  /// What the player carries out when somebody asks for it; of several with one name, the last counts. None by default.
  var commands: [MediaCommand] { get async }
  /// As ``MediaSession/mixesWithOthers``; `false` by default.
  var mixesWithOthers: Bool { get async }
  /// `always` by default.
  var eligibility: Eligibility { get async }
  /// As ``MediaSession/videoCodecs``; `nil` by default.
  var videoCodecs: Set<String>? { get async }
}

extension MediaSessionRepresentable {
  public var artwork: Artwork? { get async { nil } }
  public var commands: [MediaCommand] { [] }
  public var mixesWithOthers: Bool { false }
  public var eligibility: Eligibility { .always }
  public var videoCodecs: Set<String>? { nil }
}
