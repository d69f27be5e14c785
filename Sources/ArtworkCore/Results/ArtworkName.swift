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
  private static let keyWords: [String: ArtworkKey] = [
    "1x1": .square, "square": .square, "3x4": .tall, "tall": .tall,
  ]

  /// Understands `1x1.mp4`, `cover_3x4.mp4`, `square_animated_artwork.mp4`, `FrontCover.mp4` and
  /// `PortraitCover.mp4`, where the folder has the ID, and `<id>_1x1.mp4`, also with `-`, `.` or a space instead
  /// of `_`. Pixel sizes imply the key, too, as in Apple's `<id>_1080x1080.mp4` and `<id>_sdr_1078x1438-.mp4`. `nil`
  /// for every other name, also if the key is in the middle (`promo-1x1-final`).
  package init?(fileName: String) {
    let stem = fileName.lastIndex(of: ".").map { fileName[..<$0] } ?? fileName[...]
    switch stem.lowercased() {
    case "frontcover": self.init(key: .square)
    case "portraitcover": self.init(key: .tall)
    default:
      let words = stem.split { "-_. ".contains($0) }
      guard
        let place = words.lastIndex(where: { Self.key($0) != nil }),
        let key = Self.key(words[place]),
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

  /// The key that a word states: by its name, or by a size in pixels that has its shape.
  private static func key(_ word: Substring) -> ArtworkKey? {
    if let key = keyWords[word.lowercased()] { return key }
    let sides = word.split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, sides.allSatisfy({ (3...4).contains($0.count) }),
      let width = Int(sides[0]), let height = Int(sides[1]), width > 0, height > 0
    else { return nil }
    // Apple's sizes are up to two pixels off their shape.
    let aspect = Double(width) / Double(height)
    return ArtworkKey.allCases.first { abs(aspect / $0.aspect.value - 1) < 0.005 }
  }

  private init(key: ArtworkKey, artworkID: String? = nil) {
    self.key = key
    self.artworkID = artworkID
  }

  /// Whether a folder name is generic: `1x1`, `motion`, `animated artwork`.
  package static func isCommon(folder name: String) -> Bool {
    name.split { "-_. ".contains($0) }.allSatisfy { word in
      isCommon(word) || keyWords[word.lowercased()] != nil
        || ["videos", "covers", "loops", "artworks"].contains(word.lowercased())
    }
  }

  private static func isCommon(_ word: Substring) -> Bool {
    commonWords.contains(word.lowercased())
  }
}
