import ArtworkModel

/// What a file's name says of the artwork that it belongs to.
struct ArtworkName: Equatable {
  var key: ArtworkKey
  /// What precedes the key, for example `night-drive` in `night-drive_1x1.mp4`; `nil` where the name is the same
  /// for every artwork, and the folder's name counts.
  var artworkID: String?

  /// Words that say what the file is, not whose.
  private static let commonWords: Set<String> = [
    "animated", "animation", "artwork", "cover", "front", "motion", "video", "loop", "album",
  ]
  private static let keyWords: [String: ArtworkKey] = [
    "1x1": .square, "square": .square, "3x4": .tall, "tall": .tall,
  ]

  /// Understands `1x1.mp4`, `cover_3x4.mp4`, `square_animated_artwork.mp4`, `FrontCover.mp4` and
  /// `PortraitCover.mp4`, where the folder tells the ID, and `<id>_1x1.mp4` with `-`, `.` or a space for `_`.
  /// `nil` for every other name: a key in the middle (`promo-1x1-final`) is a key, but no scheme.
  init?(fileName: String) {
    let stem = fileName.lastIndex(of: ".").map { fileName[..<$0] } ?? fileName[...]
    switch stem.lowercased() {
    case "frontcover": self.init(key: .square)
    case "portraitcover": self.init(key: .tall)
    default:
      let words = stem.split { "-_. ".contains($0) }
      guard
        let place = words.lastIndex(where: { Self.keyWords[$0.lowercased()] != nil }),
        let key = Self.keyWords[words[place].lowercased()],
        words[(place + 1)...].allSatisfy(Self.isCommon)
      else { return nil }
      let own = words[..<place]
      // "Times Square" is a title.
      if let before = own.last, ["square", "tall"].contains(words[place].lowercased()),
        stem[before.endIndex..<words[place].startIndex] == " "
      {
        return nil
      }
      guard let last = own.last, !own.allSatisfy(Self.isCommon) else {
        self.init(key: key)
        return
      }
      self.init(key: key, artworkID: String(stem[..<last.endIndex]))
    }
  }

  private init(key: ArtworkKey, artworkID: String? = nil) {
    self.key = key
    self.artworkID = artworkID
  }

  /// Whether a folder's name says what is in it, not whose: `1x1`, `motion`, `animated artwork`.
  static func isCommon(folder name: String) -> Bool {
    name.split { "-_. ".contains($0) }.allSatisfy { word in
      isCommon(word) || keyWords[word.lowercased()] != nil
        || ["videos", "covers", "loops", "artworks"].contains(word.lowercased())
    }
  }

  private static func isCommon(_ word: Substring) -> Bool {
    commonWords.contains(word.lowercased())
  }
}
