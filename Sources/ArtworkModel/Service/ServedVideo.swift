/// The video that a session would get now.
public struct PreparedVideo: Sendable, Equatable, Codable {
  /// Size of the file in bytes.
  public var bytes: Int64
  /// Name of the codec in FFmpeg.
  public var codec: String
  /// The size in pixels of a version that was made; `nil` for the video itself.
  public var rendition: PixelSize?

  package init(bytes: Int64, codec: String, rendition: PixelSize?) {
    self.bytes = bytes
    self.codec = codec
    self.rendition = rendition
  }
}

/// A request to prepare the video that a session will get.
package struct PreparationRequest: Sendable, Codable {
  private var width: Int?
  private var height: Int?
  private var codecs: [String]?

  private enum CodingKeys: String, CodingKey {
    case width, height
    case codecs = "videoCodecs"
  }

  package init(size: PixelSize?, videoCodecs: Set<String>?) {
    (width, height, codecs) = (size?.width, size?.height, videoCodecs?.sorted())
  }

  /// The box that the video fills, in pixels; `nil` for the original.
  package var size: PixelSize? {
    guard let width, let height, width > 0, height > 0 else { return nil }
    return PixelSize(width: width, height: height)
  }

  package var videoCodecs: Set<String>? { codecs.map(Set.init) }
}

/// A video for a session, or the reason why there is none.
public struct VideoAnswer: Sendable, Equatable, Codable {
  /// The URL of a local file, valid while the session publishes the artwork; `nil` if there is no video.
  public var url: String?
  public var artworkID: ArtworkID?
  /// Size of the file in bytes.
  public var bytes: Int64?
  /// The size in pixels of a version that was made; `nil` for the video itself.
  public var rendition: PixelSize?
  /// What the system shows of the artwork: `video`, `preview` or `cover`.
  public var show: String
  /// Why it shows that.
  public var reason: Presentation.Reason

  package init(showing show: Presentation.Show, _ reason: Presentation.Reason) {
    self.show = show.rawValue
    self.reason = reason
  }

  /// `url` is `null` if there is no video.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(url, forKey: .url)
    try container.encodeIfPresent(artworkID, forKey: .artworkID)
    try container.encodeIfPresent(bytes, forKey: .bytes)
    try container.encodeIfPresent(rendition, forKey: .rendition)
    try container.encode(show, forKey: .show)
    try container.encode(reason, forKey: .reason)
  }
}
