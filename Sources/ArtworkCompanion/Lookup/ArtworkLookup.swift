package import ArtworkModel
package import ArtworkPipeline
import Dispatch
import Glibc
import Synchronization
package import SystemPackage

/// Finds the animated artwork of tracks on disk. Lists folders and reads the bytes of videos for their digests; the
/// service inspects them.
package final class ArtworkLookup: Sendable {
  /// The folders with artwork. Nothing outside them is accessed, whatever a player reports.
  package struct Places: Sendable {
    /// Absolute.
    package var music: [FilePath]
    /// Folders of artwork by album: `Artist/Album` or `Artist - Album`. Absolute.
    package var libraries: [FilePath]
    /// Folders in which players keep the pictures of their tracks. Absolute.
    package var pictures: [FilePath]
    /// Determines artworkIDs, and lists artwork that names do not identify.
    package var configuration: Configuration

    package init(
      music: [FilePath], libraries: [FilePath] = [], pictures: [FilePath] = [],
      configuration: Configuration = Configuration()
    ) {
      self.music = music
      self.pictures = pictures
      self.libraries = libraries
      self.configuration = configuration
    }
  }

  package struct Video: Sendable, Equatable {
    /// Absolute.
    package var path: FilePath
    /// The release, and the first 12 digits of the content's digest.
    package var artworkID: ArtworkID
  }

  package enum Answer: Sendable, Equatable {
    /// - Parameter place: for messages, for example `beside the track`.
    case found([ArtworkKey: Video], place: String)
    /// - Parameter reason: a part of a sentence.
    case none(reason: String)
  }

  /// A still picture for tracks without one beside their artwork.
  package struct Cover: Sendable, Equatable {
    /// Absolute.
    package var path: FilePath
    /// `cover`, and the first 12 digits of the content's digest.
    package var artworkID: ArtworkID
  }

  private let places: Places
  /// Disks may be slow, and network folders may hang. One dedicated thread, so that lookups never starve anything
  /// else.
  private let queue = DispatchQueue(label: "artworkd.lookup")
  private let digests = Mutex(
    BoundedCache<FilePath, (state: FileState, digits: String)>(.init(count: 256)))

  package init(_ places: Places) { self.places = places }

  /// Searches on a dedicated thread.
  package func find(_ track: Track) async -> Answer {
    await withCheckedContinuation { continuation in
      queue.async { [self] in continuation.resume(returning: search(for: track)) }
    }
  }

  /// The static cover of a track, if there is none beside its videos: the one beside the track, or else the picture
  /// that the player names. Searches on a dedicated thread.
  package func cover(of track: Track, with answer: Answer) async -> Cover? {
    await withCheckedContinuation { continuation in
      queue.async { [self] in continuation.resume(returning: stillCover(of: track, answer)) }
    }
  }

  private func stillCover(of track: Track, _ answer: Answer) -> Cover? {
    if case .found(let videos, _) = answer,
      videos.values.contains(where: { Surroundings.cover(beside: $0.path) != nil })
    {
      return nil
    }
    if case .found(let place, let stem) = home(of: track),
      let path = Surroundings.cover(beside: place.folder.appending(stem.isEmpty ? "track" : stem)),
      let cover = cover(path, below: place.root)
    {
      return cover
    }
    guard let path = track.pictureURL.flatMap(FileURL.path) else { return nil }
    for root in places.music + places.pictures {
      for root in Set([root, root.resolved ?? root]) where path.starts(with: root) && path != root {
        return isPicture(path, below: root) ? cover(path, below: root) : nil
      }
    }
    return nil
  }

  /// Bytes of a picture that a player names.
  private static let largestPicture = 32 << 20
  /// Thumbnails that a desktop makes of any of the user's files.
  private static let thumbnails = "thumbnails"

  /// Whether a file that a player names is a PNG or JPEG file: players have other files in these folders, too, and
  /// even the digests of those are private. Reads its first bytes.
  private func isPicture(_ path: FilePath, below root: FilePath) -> Bool {
    var below = path
    guard below.removePrefix(root), below.components.first?.string != Self.thumbnails,
      let start = Candidate(path: path, folder: root, previewStem: path)
        .start(8, ofAtMost: Self.largestPicture)
    else { return false }
    return StillFormat.begins(start)
  }

  private func cover(_ path: FilePath, below root: FilePath) -> Cover? {
    digits(of: path, below: root).flatMap { ArtworkID("cover-\($0)") }
      .map { Cover(path: path, artworkID: $0) }
  }

  /// A folder, and the one of ``Places`` that it is in.
  private struct Place {
    var root: FilePath
    var folder: FilePath

    /// Relative to the root.
    var below: FilePath {
      var below = folder
      _ = below.removePrefix(root)
      return below
    }
  }

  private func search(for track: Track) -> Answer {
    let own = home(of: track)
    if let videos = listed(for: track, in: own) { return .found(videos, place: "in the manifest") }
    var reasons: [String] = []
    switch own {
    case .found(let place, let stem):
      if let videos = release(in: place, stem: stem) {
        return .found(videos, place: "beside the track")
      }
      if let name = place.folder.lastComponent?.string, Self.isDisc(name) {
        let parent = Place(root: place.root, folder: place.folder.removingLastComponent())
        if parent.folder.starts(with: parent.root), let videos = release(in: parent, stem: stem) {
          return .found(videos, place: "in the folder above")
        }
      }
      reasons.append("the track's folder has none")
    case .none(let reason): reasons.append(reason)
    }
    if !places.libraries.isEmpty {
      if let videos = shelved(track) { return .found(videos, place: "in the library") }
      reasons.append(
        track.album == nil ? "the track names no album" : "the library has no such album")
    }
    return .none(reason: reasons.joined(separator: ", and "))
  }

  // MARK: Location of a track

  private enum Home {
    /// - Parameter stem: the name of the track's file, without its extension.
    case found(Place, stem: String)
    case none(reason: String)
  }

  private func home(of track: Track) -> Home {
    guard let url = track.url else { return .none(reason: "the player names no file") }
    guard let path = FileURL.path(url) else {
      return .none(reason: "the track is not a local file")
    }
    for root in places.music {
      // Players name the real folder, even if the user names a link to it.
      for root in Set([root, root.resolved ?? root]) where path.starts(with: root) && path != root {
        return .found(
          Place(root: root, folder: path.removingLastComponent()),
          stem: path.lastComponent?.stem ?? "")
      }
    }
    return .none(reason: "the track is outside the music folders")
  }

  /// Whether a folder is one of several that make up an album: `CD1`, `Disc 2`, `disk-03`.
  static func isDisc(_ name: String) -> Bool {
    let name = name.lowercased()
    guard let word = ["disc", "disk", "cd"].first(where: name.hasPrefix) else { return false }
    let number = name.dropFirst(word.count).drop { " -_.".contains($0) }
    return (1...2).contains(number.count) && number.allSatisfy { $0.isASCII && $0.isNumber }
  }

  // MARK: Manifest, folders, library

  /// The artwork that the configuration lists: with a file in the track's folder, or under the album's name.
  private func listed(for track: Track, in home: Home) -> [ArtworkKey: Video]? {
    let root = places.configuration.folder
    let names = Self.names(of: track)
    let entry = places.configuration.manifest.entries.first { entry in
      if case .found(let place, _) = home,
        entry.files.values.contains(where: { $0.removingLastComponent() == place.folder })
      {
        return true
      }
      return FoldedName(entry.artworkID).map { names.contains($0) } ?? false
    }
    guard let entry else { return nil }
    return videos(entry.files, release: entry.artworkID, root: root)
  }

  /// `Artist Album`, with each of the names that the artist may have.
  private static func names(of track: Track) -> [FoldedName] {
    guard let album = track.album else { return [] }
    return artists(of: track).compactMap { FoldedName("\($0) \(album)") }
  }

  private static func artists(of track: Track) -> [String] {
    let names = track.albumArtists.isEmpty ? track.artists : track.albumArtists
    guard !names.isEmpty else { return [] }
    return Array([names.joined(separator: ", "), names.joined(separator: " & "), names[0]])
  }

  /// The release in a folder; if there are several, the one named like the track or like the folder.
  private func release(in place: Place, stem: String = "") -> [ArtworkKey: Video]? {
    guard let folder = try? Folder(opening: place.root),
      let entries = try? folder.entries(of: place.below)
    else { return nil }
    let candidates = entries.filter { $0.kind == .file || $0.kind == .link }
      .map { place.folder.appending($0.name) }.filter(CandidateFinder.isNamedLikeVideo)
      .sorted { $0.string < $1.string }
      .map { Candidate(path: $0, folder: place.root, previewStem: $0) }
    if let videos = keyed(candidates, in: place, stem: stem) { return videos }
    return unkeyed(entries, in: place, stem: stem)
  }

  /// Names that imply no key. The video is registered for each key: the service shows it if its shape fits.
  private static let unkeyedNames: Set<String> = [
    "canvas", "cover", "animated cover", "cover animated", "motion", "artwork", "animated artwork",
  ]

  /// A video or animation named `canvas`, `cover`, or like the track with the suffix `cover` or `canvas`.
  private func unkeyed(
    _ entries: [Folder.Entry], in place: Place, stem: String
  ) -> [ArtworkKey: Video]? {
    let own = FoldedName(stem)?.text
    let known = Self.unkeyedNames.union(
      own.map { [$0, "\($0) cover", "\($0) canvas", "\($0) motion"] } ?? [])
    // The track's own pictures come first.
    let found = entries.filter { $0.kind == .file || $0.kind == .link }
      .filter { FoldedName($0.name.stem).map { known.contains($0.text) } ?? false }
      .map { (path: place.folder.appending($0.name), name: FoldedName($0.name.stem)?.text ?? "") }
      .sorted { one, other in
        let ranks = [one, other].map { own.map($0.name.hasPrefix) ?? false ? 0 : 1 }
        return (ranks[0], one.path.string) < (ranks[1], other.path.string)
      }
      .first { CandidateFinder.isMoving($0.path, below: place.root) }
    guard let found else { return nil }
    let release = place.folder.lastComponent?.string ?? found.name
    return videos(
      Dictionary(uniqueKeysWithValues: ArtworkKey.allCases.map { ($0, found.path) }),
      release: release, root: place.root)
  }

  private func keyed(
    _ candidates: [Candidate], in place: Place, stem: String
  ) -> [ArtworkKey: Video]? {
    guard !candidates.isEmpty else { return nil }
    let catalogue = Catalogue(candidates, places.configuration)
    let known = Set([stem, place.folder.lastComponent?.string ?? ""].compactMap(FoldedName.init))
    let releases = catalogue.releases
    let release =
      releases.first { FoldedName($0.artworkID).map(known.contains) ?? false }
      ?? (releases.count == 1 ? releases.first : nil)
    guard let release else { return nil }
    let files = release.videos.map { ($0.key, candidates[$0.candidate].path) }
    return videos(
      Dictionary(files) { first, _ in first }, release: release.artworkID, root: place.root)
  }

  /// The album's folder in a library.
  private func shelved(_ track: Track) -> [ArtworkKey: Video]? {
    guard let album = track.album.flatMap(FoldedName.init) else { return nil }
    let artists = Self.artists(of: track).compactMap(FoldedName.init)
    let names = Self.names(of: track)
    for root in places.libraries {
      guard let folder = try? Folder(opening: root) else { continue }
      func folders(in below: FilePath) -> [(name: FoldedName, path: FilePath)] {
        ((try? folder.entries(of: below)) ?? []).filter { $0.kind == .folder }.compactMap { entry in
          FoldedName(entry.name.string).map { ($0, below.appending(entry.name)) }
        }.sorted { $0.path.string < $1.path.string }
      }
      let shelves = folders(in: FilePath())
      let albums =
        shelves.filter { names.contains($0.name) }
        + shelves.filter { artists.contains($0.name) }
        .flatMap { folders(in: $0.path).filter { $0.name == album } }
      let found = albums.compactMap { album -> (folder: FilePath, videos: [ArtworkKey: Video])? in
        let place = Place(root: root, folder: root.pushing(album.path))
        return release(in: place).map { (place.folder, $0) }
      }
      guard let first = found.first else { continue }
      if found.count == 1 { return first.videos }
      // Several of one name: the first that may have this track.
      let fitting = found.first { each in
        var below = each.folder
        _ = below.removePrefix(root)
        let entries = (try? folder.entries(of: below)) ?? []
        return AlbumEvidence(entries, in: each.folder, below: root).fits(track)
      }
      return (fitting ?? first).videos
    }
    return nil
  }

  // MARK: IDs

  /// Videos that lie below a folder and can be read; `nil` without any.
  private func videos(
    _ files: [ArtworkKey: FilePath], release: String, root: FilePath
  ) -> [ArtworkKey: Video]? {
    let videos = files.compactMapValues { path -> Video? in
      guard path.starts(with: root), let digits = digits(of: path, below: root),
        let artworkID = ArtworkID("\(release)-\(digits)")
      else { return nil }
      return Video(path: path, artworkID: artworkID)
    }
    return videos.isEmpty ? nil : videos
  }

  /// 12 hexadecimal digits of the content's SHA-256: 48 bits distinguish the videos of a library.
  private func digits(of path: FilePath, below root: FilePath) -> String? {
    guard let state = FileState(of: path) else { return nil }
    if let known = digests.withLock({ $0.value(for: path) }), known.state == state {
      return known.digits
    }
    let candidate = Candidate(path: path, folder: root, previewStem: path)
    guard let digest = FileDigester().digest(of: candidate) else { return nil }
    let digits = digest.prefix(6).hexadecimal
    digests.withLock { _ = $0.insert((state, digits), for: path, cost: 0) }
    return digits
  }
}

extension FilePath {
  /// The path with links resolved; `nil` if it does not exist.
  fileprivate var resolved: FilePath? {
    withPlatformString { name in
      guard let real = realpath(name, nil) else { return nil }
      defer { free(real) }
      return FilePath(platformString: real)
    }
  }
}
