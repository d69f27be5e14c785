/// The item that is loaded, as the content types of the NowPlaying framework describe it.
public struct MediaContent: Sendable, Equatable, Codable {
  /// The player's own ID for the item, which distinguishes items with the same title.
  public var id: String?
  public var kind: Kind
  public var mediaType: MediaType?
  /// The title of the song, episode, film or station.
  public var title: String
  /// The second line: artist, show, author or programme.
  public var subtitle: String?
  /// Album, season or series.
  public var collection: String?
  public var composer: String?
  /// The genre in the publisher's words, for example `Jazz`.
  public var genre: String?
  /// Whether it is marked as explicit; `nil` if that is not known.
  public var isExplicit: Bool?
  /// The artwork itself, which is not in JSON: a client registers it, and its ID becomes that of the session's artwork in
  /// each of its shapes.
  public var animatedArtwork: AnimatedArtwork?
  private var durationSeconds: Double?
  private var durationKind: MediaDuration.Kind?
  /// A summary in a few sentences.
  public var description: String?
  /// Rating by an authority or a shop, for example `TV-14`, `FSK 12` or `explicit`.
  public var contentRating: String?
  /// Chapters in any order.
  public var chapters: [Chapter]
  /// Titles, descriptions and others in several languages.
  public var metadata: [MetadataItem]

  private enum CodingKeys: String, CodingKey {
    case kind, title, subtitle, collection, id, mediaType, description, contentRating, chapters
    case metadata, composer, genre, isExplicit, durationSeconds, durationKind
  }

  /// Counts before the one in the playback; `nil` leaves it to that.
  public var duration: MediaDuration? {
    get {
      let stated = MediaDuration(durationSeconds, durationKind)
      return stated == .unknown ? nil : stated
    }
    set { (durationSeconds, durationKind) = (newValue?.seconds, newValue?.kind) }
  }

  public enum MediaType: String, Sendable, Codable, CaseIterable { case audio, video }

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

  public init(
    kind: Kind, title: String, subtitle: String? = nil, collection: String? = nil,
    id: String? = nil, mediaType: MediaType? = nil, duration: MediaDuration? = nil,
    description: String? = nil, contentRating: String? = nil, chapters: [Chapter] = [],
    metadata: [MetadataItem] = [], composer: String? = nil, genre: String? = nil,
    isExplicit: Bool? = nil, animatedArtwork: AnimatedArtwork? = nil
  ) {
    self.kind = kind
    self.title = title
    self.subtitle = subtitle
    self.collection = collection
    self.id = id
    self.mediaType = mediaType
    (durationSeconds, durationKind) = (duration?.seconds, duration?.kind)
    self.description = description
    self.contentRating = contentRating
    self.chapters = chapters
    self.metadata = metadata
    self.composer = composer
    self.genre = genre
    self.isExplicit = isExplicit
    self.animatedArtwork = animatedArtwork
  }
}

extension MediaContent {
  /// The most characters of a line, as JSON Schema counts them (Unicode scalars).
  package static let longestLine = 4096

  /// A text of someone else, cut to what a line takes.
  package static func line(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestLine)))
  }
}

/// Initializers whose parameters have the names of the framework's.
extension MediaContent {
  public static func music(
    id: String? = nil, songTitle: String, artistName: String, albumName: String,
    composer: String? = nil, genre: String? = nil, isExplicit: Bool? = nil,
    type: MediaType? = nil, duration: MediaDuration? = nil, animatedArtwork: AnimatedArtwork? = nil
  ) -> Self {
    Self(
      kind: .music, title: songTitle, subtitle: artistName, collection: albumName, id: id,
      mediaType: type, duration: duration, composer: composer, genre: genre,
      isExplicit: isExplicit, animatedArtwork: animatedArtwork)
  }

  public static func podcast(
    id: String? = nil, episodeTitle: String, showName: String, type: MediaType? = nil,
    duration: MediaDuration? = nil, animatedArtwork: AnimatedArtwork? = nil
  ) -> Self {
    Self(
      kind: .podcast, title: episodeTitle, subtitle: showName, id: id, mediaType: type,
      duration: duration, animatedArtwork: animatedArtwork)
  }

  public static func movie(
    id: String? = nil, title: String, type: MediaType? = nil, duration: MediaDuration? = nil,
    animatedArtwork: AnimatedArtwork? = nil
  ) -> Self {
    Self(
      kind: .movie, title: title, id: id, mediaType: type, duration: duration,
      animatedArtwork: animatedArtwork)
  }

  public static func tvShow(
    id: String? = nil, episodeTitle: String, showName: String, season: String? = nil,
    type: MediaType? = nil, duration: MediaDuration? = nil, animatedArtwork: AnimatedArtwork? = nil
  ) -> Self {
    Self(
      kind: .tvShow, title: episodeTitle, subtitle: showName, collection: season, id: id,
      mediaType: type, duration: duration, animatedArtwork: animatedArtwork)
  }

  public static func book(
    id: String? = nil, title: String, authorName: String, series: String? = nil,
    type: MediaType? = nil, duration: MediaDuration? = nil, animatedArtwork: AnimatedArtwork? = nil
  ) -> Self {
    Self(
      kind: .book, title: title, subtitle: authorName, collection: series, id: id,
      mediaType: type, duration: duration, animatedArtwork: animatedArtwork)
  }

  public static func radio(
    id: String? = nil, stationName: String, programName: String? = nil, type: MediaType? = nil,
    duration: MediaDuration? = nil, animatedArtwork: AnimatedArtwork? = nil
  ) -> Self {
    Self(
      kind: .radio, title: stationName, subtitle: programName, id: id, mediaType: type,
      duration: duration, animatedArtwork: animatedArtwork)
  }

  public static func homeMedia(
    id: String? = nil, sourceName: String, contentDescription: String? = nil,
    type: MediaType? = nil, duration: MediaDuration? = nil, animatedArtwork: AnimatedArtwork? = nil
  ) -> Self {
    Self(
      kind: .homeMedia, title: sourceName, subtitle: contentDescription, id: id,
      mediaType: type, duration: duration, animatedArtwork: animatedArtwork)
  }

  public static func generic(
    id: String? = nil, title: String, subtitle: String? = nil, type: MediaType? = nil,
    duration: MediaDuration? = nil, animatedArtwork: AnimatedArtwork? = nil
  ) -> Self {
    Self(
      kind: .generic, title: title, subtitle: subtitle, id: id, mediaType: type,
      duration: duration, animatedArtwork: animatedArtwork)
  }
}
