/// The source of an artwork's video.
public enum ArtworkSource: Sendable, Hashable {
  /// An absolute path on this machine.
  ///
  /// - Parameter immutable: whether the owner promises to replace the file instead of modifying it, so that a hard
  ///   link can replace a copy.
  case file(path: String, immutable: Bool = false)
  /// An http or https URL, fetched on the first request; or a file URL, percent-encoded, which can name a path that is not
  /// UTF-8.
  case url(String)

  /// The path or the URL.
  package var text: String {
    switch self {
    case .file(let path, _): path
    case .url(let url): url
    }
  }
}

extension ArtworkSource: Codable {
  private enum CodingKeys: String, CodingKey { case path, immutable, url }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let path = try container.decodeIfPresent(String.self, forKey: .path)
    let url = try container.decodeIfPresent(String.self, forKey: .url)
    switch (path, url) {
    case (let path?, nil):
      self = .file(
        path: path,
        immutable: try container.decodeIfPresent(Bool.self, forKey: .immutable) ?? false)
    case (nil, let url?): self = .url(url)
    default:
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "a source has either a path or a url"))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .file(let path, let immutable):
      try container.encode(path, forKey: .path)
      if immutable { try container.encode(true, forKey: .immutable) }
    case .url(let url): try container.encode(url, forKey: .url)
    }
  }
}

/// The state of an artwork in the store.
public enum ArtworkStatus: String, Sendable, Codable, CaseIterable {
  /// The source is known. The video was not requested yet, or was evicted.
  case registered
  /// A request waits for the video.
  case preparing
  case ready
  /// The video cannot be used. The source is tried again when the refusal expires.
  case refused
}
