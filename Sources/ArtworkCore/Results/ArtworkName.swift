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
  package init?(fileName: String) {
    let stem = fileName.lastIndex(of: ".").map { fileName[..<$0] } ?? fileName[...]
    if let key = ArtworkKey(stem: stem) {
      self.init(key: key)
      return
    }
    let words = stem.split { "-_. ".contains($0) }
    guard let place = words.lastIndex(where: { ArtworkKey(word: $0) != nil }),
      let key = ArtworkKey(word: words[place]),
      words[(place + 1)...].allSatisfy({ Self.isCommon($0) || $0 == "fixed" })
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

  private init(key: ArtworkKey, artworkID: String? = nil) {
    self.key = key
    self.artworkID = artworkID
  }

  /// Whether a folder name is generic: `1x1`, `motion`, `animated artwork`.
  package static func isCommon(folder name: String) -> Bool {
    name.split { "-_. ".contains($0) }.allSatisfy { word in
      isCommon(word) || ArtworkKey(word: word) != nil
        || ["videos", "covers", "loops", "artworks"].contains(word.lowercased())
    }
  }

  private static func isCommon(_ word: Substring) -> Bool {
    commonWords.contains(word.lowercased())
  }
}
