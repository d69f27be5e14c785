#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One variant of an item's animated artwork, as `MPMediaItemAnimatedArtwork` of the MediaPlayer framework has it: an ID
/// and two handlers that are asked when somebody looks.
public struct AnimatedArtwork: Sendable {
  /// Changes whenever the preview or the video does.
  public var artworkID: ArtworkID
  public var previewImageRequestHandler: PreviewImageRequestHandler
  public var videoAssetFileURLRequestHandler: VideoAssetFileURLRequestHandler

  /// Given the size in pixels that is wanted; any size of the right aspect will do. `nil` when there is none.
  public typealias PreviewImageRequestHandler = @Sendable (PixelSize) async -> PreviewImage?
  /// Given the size in pixels that is wanted. A URL of a local file that stays valid while a session publishes the
  /// artwork; `nil` when there is none. The system waits for 30 s.
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

/// Whatever knows what a player plays: `MediaSessionRepresentable` of the NowPlaying framework. A class of the main
/// actor, another actor or a plain value will do, since everything is asked with `await`.
public protocol MediaSessionRepresentable: Sendable {
  /// Names the session, 1 to ``ExactIdentity/longest`` bytes.
  var id: String { get async }
  /// `nil` while nothing is loaded.
  var content: MediaContent? { get async }
  var playbackSnapshot: PlaybackSnapshot? { get async }
  var animatedArtwork: [ArtworkKey: AnimatedArtwork] { get async }
}
