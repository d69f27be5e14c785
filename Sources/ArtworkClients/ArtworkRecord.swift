public import ArtworkModel

/// An artwork as the service describes it.
public struct ArtworkRecord: Sendable, Equatable, Decodable {
  public var artworkID: ArtworkID
  /// `1x1`, `3x4` or `cover`.
  private var part: String
  public var status: ArtworkStatus
  public var source: ArtworkSource
  /// Hexadecimal SHA-256 of the video, once known.
  public var digest: String?
  /// Bytes of the video; `nil` while it is not stored.
  public var bytes: Int64?
  /// Sessions that have a lease on it.
  public var leases: Int
  /// The result of `artworkd check`.
  public var report: Report?
  /// Why the video cannot be used.
  public var error: Failure?

  public struct Report: Sendable, Equatable, Decodable {
    /// `pass`, `warn`, `fail` or `error`.
    public var verdict: String
    public var findings: [Finding]?

    public struct Finding: Sendable, Equatable, Decodable {
      public var rule: String
      /// `error`, `warning` or `info`.
      public var severity: String
      public var message: String
      public var help: String?
    }
  }

  public struct Failure: Sendable, Equatable, Decodable {
    public var code: String
    public var message: String
    public var help: String?
  }

  /// `nil` for a static cover.
  public var key: ArtworkKey? { ArtworkKey(rawValue: part) }

  public var reference: ArtworkReference {
    key.map { ArtworkReference(artworkID, $0) } ?? ArtworkReference(coverOf: artworkID)
  }

  private enum CodingKeys: String, CodingKey {
    case artworkID, status, source, digest, bytes, leases, report, error
    case part = "key"
  }
}

/// The video that a session would get now.
public struct PreparedVideo: Sendable, Equatable, Decodable {
  /// Size of the file in bytes.
  public var bytes: Int64
  /// Name of the codec in FFmpeg.
  public var codec: String
  /// The size in pixels of a version that was made; `nil` for the video itself.
  public var rendition: PixelSize?
}

/// A video for a session, or the reason why there is none.
public enum VideoAnswer: Sendable, Equatable {
  /// - Parameter url: the URL of a local file, valid while the session publishes the artwork.
  case file(url: String, artworkID: ArtworkID?, bytes: Int64?)
  case none(Presentation.Reason)
}

extension VideoAnswer: Decodable {
  private enum CodingKeys: String, CodingKey { case url, artworkID, bytes, reason }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let url = try container.decodeIfPresent(String.self, forKey: .url) {
      self = .file(
        url: url, artworkID: try container.decodeIfPresent(ArtworkID.self, forKey: .artworkID),
        bytes: try container.decodeIfPresent(Int64.self, forKey: .bytes))
    } else {
      self = .none(try container.decode(Presentation.Reason.self, forKey: .reason))
    }
  }
}
