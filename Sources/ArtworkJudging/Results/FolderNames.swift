/// The files of a folder, classified by their names: covers, previews, animated covers and tracks. What such files are
/// called is known only here; a single name that states a key is read by ``ArtworkName`` and ``ArtworkKey/init(word:)``.
package struct FolderNames: Sendable {
  /// Stills of a whole folder, best first.
  private static let covers = [
    "cover", "frontcover", "folder", "front", "artwork", "album", "albumart",
  ]
  /// Videos and animations of a whole folder that state no key, in words: names of music players, servers and phones.
  private static let animatedCovers: Set<String> = [
    "canvas", "cover", "animated cover", "cover animated", "motion", "artwork", "animated artwork",
    "vertical background",
  ]
  /// Extensions of sound, whose names tracks have.
  private static let sounds: Set<String> = [
    "flac", "mp3", "m4a", "ogg", "oga", "opus", "wav", "wma", "ape", "wv", "aac", "aif", "aiff",
    "alac", "mka",
  ]

  /// The list of the files of a bundle.
  package static let list = "artwork.json"

  private let names: [FilePath.Component]
  /// Stills by their names without the extension; of several the first by its format, then by its bytes.
  private let stills: [String: FilePath.Component]
  /// Those that may be previews: an animated WebP or AVIF beside a video is its export.
  private let plainStills: [String: FilePath.Component]

  /// - Parameter names: of the files in the folder.
  package init(_ names: [FilePath.Component] = []) {
    let sorted = names.sorted { $0.string < $1.string }
    func stills(_ formats: [FileFormat]) -> [(String, FilePath.Component)] {
      let extensions = formats.flatMap(\.extensions)
      return sorted.filter { extensions.contains($0.lowercasedExtension) }
        .map { ($0.lowercasedStem, $0) }
    }
    self.names = sorted
    plainStills = Dictionary(stills([.png, .jpeg]), uniquingKeysWith: { first, _ in first })
    self.stills = plainStills.merging(
      stills([.avif, .webp]), uniquingKeysWith: { first, _ in first })
  }

  /// Sound files.
  package var tracks: [FilePath.Component] {
    names.filter { Self.sounds.contains($0.lowercasedExtension) }
  }

  // MARK: Stills

  /// The static cover.
  ///
  /// - Parameters:
  ///   - artworkID: of one of several releases in the folder, whose cover is named so: the folder has none for all.
  ///   - video: is no cover of itself, although an animated PNG may be named like one.
  package func cover(
    of artworkID: String? = nil, beside video: FilePath.Component? = nil
  ) -> FilePath.Component? {
    let owned = artworkID.map { own in
      [own.lowercased()] + ["-", "_", ".", " "].map { "\(own.lowercased())\($0)cover" }
    }
    return (owned ?? Self.covers).lazy.compactMap { stills[$0] }.first { $0 != video }
  }

  /// The supplied previews of a video by the key that their names state, and under `nil` one that states none: `1x1.png`,
  /// `clip.1x1.png` or `1x1-preview.jpg` beside `1x1.mp4` and `clip.mp4`. Covers do not count as previews.
  package func previews(of video: FilePath.Component) -> [ArtworkKey?: FilePath.Component] {
    let stem = video.lowercasedStem
    let own = Self.covers.contains(stem) ? [] : [stem]
    var found: [ArtworkKey?: FilePath.Component] = [:]
    func preview(_ stems: [String]) -> FilePath.Component? {
      stems.lazy.compactMap { plainStills[$0] }.first { $0 != video }
    }
    found[nil] = preview(own + ["-", "_", "."].map { "\(stem)\($0)preview" })
    for key in ArtworkKey.allCases { found[key] = preview(["\(stem).\(key.rawValue)"]) }
    return found
  }

  // MARK: Animated covers

  /// Whether a video or animation is for a whole folder or for one track, without stating a key.
  ///
  /// - Parameters:
  ///   - words: of its name, in lower case.
  ///   - track: the words of the track's name.
  package static func isAnimatedCover(_ words: String, ofTrack track: String?) -> Bool {
    if animatedCovers.contains(words) || words == track { return true }
    guard let track else { return false }
    return ["\(track) cover", "\(track) canvas", "\(track) motion", "vertical background \(track)"]
      .contains(words)
  }

  /// The name of a release's video in a music folder.
  package static func video(_ key: ArtworkKey) -> String {
    key == .square ? "cover.mp4" : "cover_3x4.mp4"
  }
}

extension FilePath.Component {
  fileprivate var lowercasedStem: String { stem.lowercased() }
  fileprivate var lowercasedExtension: String { self.extension?.lowercased() ?? "" }
}
