/// The stills that lie beside candidates. Lists each folder once and opens no file.
package struct Surroundings {
  private static let coverNames = [
    "cover", "frontcover", "folder", "front", "artwork", "album", "albumart",
  ]

  /// Stills by folder and by their names in lower case, without the extension.
  private var stills: [FilePath: [String: FilePath.Component]] = [:]

  /// The supplied previews by the key that their names state, and under `nil` one that states none: `1x1.png`,
  /// `clip.1x1.png` or `1x1-preview.jpg` beside `1x1.mp4` and `clip.mp4`. Covers do not count as previews.
  mutating func previews(of candidate: Candidate) -> [ArtworkKey?: Candidate] {
    guard let name = candidate.path.lastComponent else { return [:] }
    let stem = Self.stem(name)
    let own = Self.coverNames.contains(stem) ? [] : [stem]
    let plain = own + ["-", "_", "."].map { "\(stem)\($0)preview" }
    var found: [ArtworkKey?: Candidate] = [:]
    if let still = still(beside: candidate, named: plain) { found[nil] = still }
    for key in ArtworkKey.allCases {
      if let still = still(beside: candidate, named: ["\(stem).\(key.rawValue)"]) {
        found[key] = still
      }
    }
    return found
  }

  /// The static cover in the candidate's folder.
  ///
  /// - Parameter own: the ID in the candidate's own name: its cover may be named so.
  mutating func cover(beside candidate: Candidate, own: String?) -> Candidate? {
    let owned = own.map { own in
      let own = own.lowercased()
      return [own] + ["-", "_", ".", " "].map { "\(own)\($0)cover" }
    }
    // A folder of several releases has no cover for all.
    return still(beside: candidate, named: owned ?? Self.coverNames)
  }

  /// The static cover in the folder of one release.
  static func cover(in folder: FilePath) -> Candidate? {
    var surroundings = Surroundings()
    let video = Candidate(
      path: folder.appending("1x1.mp4"), folder: folder, previewStem: FilePath())
    return surroundings.cover(beside: video, own: nil)
  }

  /// The static cover in a video's folder, by the names that `artworkd check` knows. Lists the folder.
  package static func cover(beside video: FilePath) -> FilePath? {
    var surroundings = Surroundings()
    let own = video.lastComponent.flatMap { ArtworkName(fileName: $0.string)?.artworkID }
    return surroundings.cover(beside: Candidate(path: video), own: own)?.path
  }

  private mutating func still(beside candidate: Candidate, named names: [String]) -> Candidate? {
    // The neighbours of a URL cannot be listed.
    guard candidate.url == nil else { return nil }
    let parent = candidate.path.removingLastComponent()
    let found = stills[parent] ?? Self.list(candidate)
    stills[parent] = found
    guard !found.isEmpty else { return nil }
    // An animated PNG is a candidate itself.
    let itself = candidate.path.lastComponent
    return names.lazy.compactMap { found[$0] }.first { $0 != itself }.map { name in
      Candidate(
        path: parent.appending(name), folder: candidate.folder,
        previewStem: FilePath(root: nil, [name]))
    }
  }

  /// A folder that cannot be read has no stills: its candidates report the error.
  private static func list(_ candidate: Candidate) -> [String: FilePath.Component] {
    let parent = candidate.path.removingLastComponent()
    var below = parent
    guard
      let folder = try? Folder(
        opening: candidate.folder ?? (parent.isEmpty ? FilePath(".") : parent))
    else { return [:] }
    if let root = candidate.folder {
      guard below.removePrefix(root) else { return [:] }
    } else {
      below = FilePath()
    }
    guard let entries = try? folder.entries(of: below) else { return [:] }
    let stills = entries.filter {
      $0.kind != .folder && StillFormat.extensions.contains($0.name.extension?.lowercased() ?? "")
    }
    return Dictionary(
      stills.sorted { $0.name.string < $1.name.string }.map { (stem($0.name), $0.name) },
      uniquingKeysWith: { first, _ in first })
  }

  private static func stem(_ name: FilePath.Component) -> String { name.stem.lowercased() }
}
