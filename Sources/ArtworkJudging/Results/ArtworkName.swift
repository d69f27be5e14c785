/// The artwork that a file name implies.
package struct ArtworkName: Equatable {
  package var key: ArtworkKey
  /// The part before the key, for example `night-drive` in `night-drive_1x1.mp4`; `nil` for generic names, for which
  /// the name of the folder counts.
  package var artworkID: String?

  /// Generic words, which do not identify a release.
  private static let commonWords: Set<String> = [
    "animated", "animation", "artwork", "cover", "front", "motion", "video", "loop", "album",
  ]

  /// Names of videos of a whole release whose shape is that of their picture.
  private static let folderNames: Set<String> = ["cover", "folder", "front", "video"]

  /// Whether a file is the video of its folder, in a shape that its name does not state: `cover.mp4`.
  package static func isOfFolder(fileName: String) -> Bool {
    folderNames.contains(FilePath(fileName).lastComponent?.stem.lowercased() ?? "")
  }

  /// Understands `1x1.mp4`, `cover_3x4.mp4`, `square_animated_artwork.mp4`, `FrontCover.mp4` and
  /// `PortraitCover.mp4`, where the folder has the ID, and `<id>_1x1.mp4`, also with `-`, `.` or a space instead
  /// of `_`. Pixel sizes imply the key, too, as in Apple's `<id>_1080x1080.mp4` and `<id>_sdr_1078x1438-.mp4`. `nil`
  /// for every other name, also if the key is in the middle (`promo-1x1-final`).
  ///
  /// - Parameter readsTitles: whether a word after a space states the shape, too, as in `Times Square`: the name of the
  ///   other shape has to be there.
  package init?(fileName: String, readsTitles: Bool = false) {
    let stem = fileName.lastIndex(of: ".").map { fileName[..<$0] } ?? fileName[...]
    guard let mark = Self.mark(in: stem, readsTitles: readsTitles), let key = Self.key(stem[mark]),
      stem[mark.upperBound...].split(whereSeparator: Self.separates)
        .allSatisfy({ Self.isCommon($0) || $0 == "fixed" })
    else { return nil }
    let own = stem[..<mark.lowerBound].split(whereSeparator: Self.separates)
    guard let last = own.last, !own.allSatisfy(Self.isCommon) else {
      self.init(key: key)
      return
    }
    self.init(key: key, artworkID: String(stem[..<last.endIndex]))
  }

  /// The place of the last word of a name that states its shape; `nil` if none does.
  private static func mark(
    in stem: Substring, readsTitles: Bool = false
  ) -> Range<String.Index>? {
    if ArtworkKey(stem: stem) != nil { return stem.startIndex..<stem.endIndex }
    let words = stem.split(whereSeparator: separates)
    guard let place = words.lastIndex(where: { ArtworkKey(word: $0) != nil }) else { return nil }
    let word = words[place]
    // "Times Square" is a title.
    if !readsTitles, place > 0,
      ["square", "tall", "portrait", "vertical"].contains(word.lowercased()),
      stem[words[place - 1].endIndex..<word.startIndex] == " "
    {
      return nil
    }
    return word.startIndex..<word.endIndex
  }

  private static func key(_ mark: Substring) -> ArtworkKey? {
    ArtworkKey(stem: mark) ?? ArtworkKey(word: mark)
  }

  private static func separates(_ character: Character) -> Bool { "-_. ()[]{}".contains(character) }

  /// The name of a video in another shape, both without their extension: the word that states the shape is exchanged, or
  /// the key is added.
  package static func variant(of stem: String, as key: ArtworkKey) -> String {
    guard let mark = mark(in: stem[...]) else { return "\(stem)_\(key.rawValue)" }
    let word =
      switch stem[mark].lowercased() {
      case "square", "tall": key == .square ? "square" : "tall"
      case "portrait", "vertical": key == .square ? "square" : String(stem[mark])
      case "frontcover", "portraitcover": key == .square ? "FrontCover" : "PortraitCover"
      default: key.rawValue
      }
    return stem[..<mark.lowerBound] + word + stem[mark.upperBound...]
  }

  /// The path of the other shape of a video, beside it: `song/3x4.mp4` of `song/1x1.mov`.
  package static func variant(of video: FilePath, as key: ArtworkKey) -> FilePath {
    var path = video
    path.extension = nil
    // A name need not be text.
    guard let name = path.lastComponent?.string, path.percentEncodedUnlessText == nil else {
      return path.suffixed("_\(key.rawValue).mp4")
    }
    return path.removingLastComponent().appending(variant(of: name, as: key) + ".mp4")
  }

  private init(key: ArtworkKey, artworkID: String? = nil) {
    self.key = key
    self.artworkID = artworkID
  }

  /// Whether a folder name is generic: `1x1`, `motion`, `animated artwork`.
  package static func isCommon(folder name: String) -> Bool {
    name.split(whereSeparator: separates).allSatisfy { word in
      isCommon(word) || ArtworkKey(word: word) != nil
        || ["videos", "covers", "loops", "artworks"].contains(word.lowercased())
    }
  }

  private static func isCommon(_ word: Substring) -> Bool {
    commonWords.contains(word.lowercased())
  }
}
