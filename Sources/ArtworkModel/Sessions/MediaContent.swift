/// The item that is loaded, as the content types of the NowPlaying framework describe it.
public struct MediaContent: Sendable, Equatable {
  public var kind: Kind
  /// The title of the song, episode, film or station.
  public var title: String
  /// The second line: artist, show, author or programme.
  public var subtitle: String?
  /// Album, season or series.
  public var collection: String?

  /// The kinds of the NowPlaying framework, by their names in JSON.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// `MusicContent`
    case music
    /// `PodcastContent`
    case podcast
    /// `MovieContent`
    case movie
    /// `TVShowContent`
    case tvShow = "tv-show"
    /// `BookContent`
    case book
    /// `RadioContent`
    case radio
    /// `HomeMediaContent`
    case homeMedia = "home-media"
    /// `GenericContent`
    case generic
  }

  public init(kind: Kind, title: String, subtitle: String? = nil, collection: String? = nil) {
    self.kind = kind
    self.title = title
    self.subtitle = subtitle
    self.collection = collection
  }
}

/// The framework's initializers, with the same parameter names.
extension MediaContent {
  public static func music(songTitle: String, artistName: String, albumName: String) -> Self {
    Self(kind: .music, title: songTitle, subtitle: artistName, collection: albumName)
  }

  public static func podcast(episodeTitle: String, showName: String) -> Self {
    Self(kind: .podcast, title: episodeTitle, subtitle: showName)
  }

  public static func movie(title: String) -> Self { Self(kind: .movie, title: title) }

  public static func tvShow(
    episodeTitle: String, showName: String, season: String? = nil
  ) -> Self {
    Self(kind: .tvShow, title: episodeTitle, subtitle: showName, collection: season)
  }

  public static func book(
    title: String, authorName: String, series: String? = nil
  ) -> Self {
    Self(kind: .book, title: title, subtitle: authorName, collection: series)
  }

  public static func radio(stationName: String, programName: String? = nil) -> Self {
    Self(kind: .radio, title: stationName, subtitle: programName)
  }

  public static func homeMedia(sourceName: String, contentDescription: String? = nil) -> Self {
    Self(kind: .homeMedia, title: sourceName, subtitle: contentDescription)
  }

  public static func generic(title: String, subtitle: String? = nil) -> Self {
    Self(kind: .generic, title: title, subtitle: subtitle)
  }
}

extension MediaContent: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case kind, title, subtitle, collection
  }

  public init(from decoder: any Decoder) throws {
    try decoder.refuseFields(otherThan: CodingKeys.allCases)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let name = try container.decode(String.self, forKey: .kind)
    guard let kind = Kind(rawValue: name) else {
      throw DecodingError.dataCorruptedError(
        forKey: .kind, in: container,
        debugDescription:
          "kind must be one of \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    self.init(
      kind: kind, title: try container.decode(String.self, forKey: .title),
      subtitle: try container.decodeIfPresent(String.self, forKey: .subtitle),
      collection: try container.decodeIfPresent(String.self, forKey: .collection))
  }
}
