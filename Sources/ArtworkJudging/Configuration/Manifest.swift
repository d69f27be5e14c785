/// The artworks that a configuration or its CSV file lists.
package struct Manifest: Sendable {
  package struct Entry: Sendable, Equatable {
    package var artworkID: String
    /// Absolute paths of the videos.
    package var files: [ArtworkKey: FilePath] = [:]
    /// The static cover, absolute.
    package var cover: FilePath?
    /// The file that lists it, and the line there.
    package var source: FilePath
    package var line: Int

    package init(artworkID: String, source: FilePath, line: Int) {
      self.artworkID = artworkID
      self.source = source
      self.line = line
    }
  }

  /// Entries in the order of the file. An ID may be listed more than once.
  package private(set) var entries: [Entry] = []
  private var places: [FilePath: Int] = [:]

  package init() {}

  package mutating func add(_ entry: Entry) {
    for file in entry.files.values where places[file] == nil { places[file] = entries.count }
    entries.append(entry)
  }

  /// Listed videos that do not exist. Checks each file once.
  package var missingVideos: [FilePath] {
    entries.flatMap { entry in ArtworkKey.allCases.compactMap { entry.files[$0] } }
      .filter { !$0.exists }
  }

  /// Videos that are listed for two artworks, or under two keys. An artwork may be listed more than once: a table of
  /// songs repeats that of their album.
  package var contradictions: [ConfigurationError.Problem] {
    var seen: [FilePath: (entry: Entry, key: ArtworkKey)] = [:]
    var found: [ConfigurationError.Problem] = []
    for entry in entries {
      for key in ArtworkKey.allCases {
        guard let file = entry.files[key] else { continue }
        guard let first = seen[file] else {
          seen[file] = (entry, key)
          continue
        }
        if first.entry.artworkID == entry.artworkID, first.key == key { continue }
        found.append(
          ConfigurationError.Problem(
            file: entry.source, place: SourcePlace(line: entry.line, column: 1),
            message: "\(file.lastComponent?.string ?? file.string) is the \(key.rawValue) of "
              + "`\(entry.artworkID)` here, and the \(first.key.rawValue) of `\(first.entry.artworkID)` in line "
              + "\(first.entry.line) of \(first.entry.source.string): use one artworkID for one video"
          ))
      }
    }
    return found
  }

  /// The first entry that lists a video. Costs one table lookup.
  ///
  /// - Parameter path: absolute.
  package func entry(for path: FilePath) -> Entry? { places[path].map { entries[$0] } }
}
