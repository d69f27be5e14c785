package import ArtworkModel

/// A player's current track, as its metadata describes it.
package struct Track: Sendable, Equatable {
  /// `mpris:trackid`. Only for `SetPosition` to the same player: two processes may both call a track `/0`.
  package var id: String?
  package var title: String?
  package var artists: [String] = []
  package var album: String?
  package var albumArtists: [String] = []
  package var composers: [String] = []
  package var genres: [String] = []
  /// Number of the track in its album or on its disc, from 1.
  package var number: Int?
  /// `nil` if the player does not state it.
  package var seconds: Double?
  package var url: String?
  /// The picture that the player itself displays, as a URL.
  package var pictureURL: String?

  /// Reads metadata (MPRIS Metadata Guidelines). Values of the wrong type are left out.
  package init(_ metadata: [String: BusValue]) {
    func text(_ key: String) -> String? { metadata[key]?.text.flatMap(Self.trimmed) }
    id = metadata["mpris:trackid"]?.text
    title = text("xesam:title")
    artists = Self.names(metadata["xesam:artist"])
    album = text("xesam:album")
    albumArtists = Self.names(metadata["xesam:albumArtist"])
    composers = Self.names(metadata["xesam:composer"])
    genres = Self.names(metadata["xesam:genre"])
    number = metadata["xesam:trackNumber"]?.number.flatMap { wholeNumber($0) }
      .flatMap { (1...999).contains($0) ? $0 : nil }
    let length = (metadata["mpris:length"]?.number ?? 0) / Self.microseconds
    // More than a year is how some players mark an endless stream.
    seconds = length > 0 && length < 31_536_000 ? length : nil
    url = metadata["xesam:url"]?.text
    pictureURL = metadata[BusValue.Limits.pictureKey]?.text
  }

  /// MPRIS counts in them.
  static let microseconds = 1e6

  /// 16: the cast of an opera is not the second line of a title.
  private static func names(_ value: BusValue?) -> [String] {
    Array((value?.texts ?? []).compactMap(trimmed).prefix(16))
  }

  private static func trimmed(_ text: String) -> String? {
    let part = text.drop { $0.isWhitespace }
    let end = part.lastIndex { !$0.isWhitespace }
    return end.map { String(part[...$0]) }
  }

  /// Whether it is the same item, though the player may have learnt more about it.
  func isSameItem(as other: Track) -> Bool {
    id == other.id && url == other.url && (url != nil || title == other.title)
  }

  /// The content of a session for it; `nil` for a track without metadata.
  package var content: MediaContent? {
    let name = title ?? url.flatMap(Self.fileName)
    guard let name else { return nil }
    let artist = artists.isEmpty ? albumArtists : artists
    let isMusic = album != nil || !artist.isEmpty
    func line(_ names: [String]) -> String? {
      names.isEmpty ? nil : MediaContent.line(names.joined(separator: ", "))
    }
    return MediaContent(
      kind: isMusic ? .music : .generic, title: MediaContent.line(name),
      subtitle: line(artist), collection: album.map(MediaContent.line),
      composer: line(composers), genre: line(genres))
  }

  /// The last part of a URL's path, decoded; `nil` for a URL without one.
  private static func fileName(_ url: String) -> String? {
    guard !ArtworkLookup.isDataURL(url) else { return nil }
    let path = url.prefix { $0 != "?" && $0 != "#" }
    guard let name = path.split(separator: "/").last else { return nil }
    return trimmed(String(decoding: FileURL.decoded(name), as: UTF8.self))
  }
}
