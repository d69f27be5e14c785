package import ArtworkModel
package import ArtworkPipeline
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
package import SystemPackage

/// Finds the animated artwork of tracks on disk. Lists folders and reads the bytes of videos for their digests; the
/// service inspects them.
package final class ArtworkLookup: Sendable {
  /// The folders with artwork. Nothing outside them is accessed, whatever a player reports.
  package struct Places: Sendable {
    /// Absolute paths of folders with music.
    package var music: [FilePath]
    /// Folders of artwork by album: `Artist/Album` or `Artist - Album`. Absolute.
    package var libraries: [FilePath]
    /// Folders in which players keep the pictures of their tracks. Absolute.
    package var pictures: [FilePath]
    /// A folder of this user alone for the pictures that players send; `nil` for none.
    package var sent: FilePath?
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
    /// The absolute path.
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

  let places: Places
  let roots = Mutex<[FilePath: Root]>([:])
  /// The files of ``Places/sent``, the oldest first.
  let sent = Mutex<[FilePath]>([])
  private let digests = Mutex(
    BoundedCache<FilePath, (state: FileState, digits: String)>(.init(count: 256)))

  /// The thread of a folder of ``Places``: network folders may hang.
  struct Root {
    let queue = DispatchQueue(label: "artworkd.lookup")
    /// When the call that runs now began.
    var busySince: ContinuousClock.Instant?
  }

  /// Reading a large video over a network takes some seconds.
  private static let timeout: Duration = .seconds(30)

  package init(_ places: Places) { self.places = places }

  /// Searches on the thread of a folder of ``Places``.
  ///
  /// - Returns: `nil` also if it does not answer in time; at once while it has not answered an earlier call in time.
  func search<Found: Sendable>(
    _ root: FilePath, _ body: @escaping @Sendable () -> Found?
  ) async -> Found? {
    let queue = roots.withLock { roots -> DispatchQueue? in
      let known = roots[root] ?? Root()
      roots[root] = known
      let isStuck = known.busySince.map { $0.duration(to: .now) > Self.timeout } ?? false
      return isStuck ? nil : known.queue
    }
    guard let queue else { return nil }
    let found = await Deadline.first(of: Self.timeout) { [self] in
      await withCheckedContinuation { continuation in
        queue.async { [self] in
          roots.withLock { $0[root]?.busySince = .now }
          let found = body()
          roots.withLock { $0[root]?.busySince = nil }
          continuation.resume(returning: found)
        }
      }
    }
    return found ?? nil
  }

  /// Searches without blocking the caller's thread.
  package func find(_ track: Track) async -> Answer {
    let own = await home(of: track)
    if let videos = await search(
      places.configuration.folder, { [self] in listed(for: track, in: own) })
    {
      return .found(videos, place: "in the manifest")
    }
    var reasons: [String] = []
    switch own {
    case .found(let place, let stem):
      if let answer = await search(place.root, { [self] in beside(place, stem) }) { return answer }
      reasons.append("the track's folder has none")
    case .none(let reason): reasons.append(reason)
    }
    for root in places.libraries {
      if let videos = await search(root, { [self] in shelved(track, in: root) }) {
        return .found(videos, place: "in the library")
      }
    }
    if !places.libraries.isEmpty {
      reasons.append(
        track.album == nil ? "the track names no album" : "the library has no such album")
    }
    return .none(reason: reasons.joined(separator: ", and "))
  }

  /// A folder, and the one of ``Places`` that it is in.
  struct Place {
    var root: FilePath
    var folder: FilePath

    /// Relative to the root.
    var below: FilePath {
      var below = folder
      _ = below.removePrefix(root)
      return below
    }
  }

  /// The artwork in a track's folder, or in the folder of the album that its disc belongs to.
  private func beside(_ place: Place, _ stem: String) -> Answer? {
    if let videos = release(in: place, stem: stem) {
      return .found(videos, place: "beside the track")
    }
    guard let name = place.folder.lastComponent?.string, Self.isDisc(name) else { return nil }
    let parent = Place(root: place.root, folder: place.folder.removingLastComponent())
    guard parent.folder.starts(with: parent.root), let videos = release(in: parent, stem: stem)
    else { return nil }
    return .found(videos, place: "in the folder above")
  }

  // MARK: Location of a track

  enum Home: Sendable {
    /// - Parameter stem: the name of the track's file, without its extension.
    case found(Place, stem: String)
    case none(reason: String)
  }

  func home(of track: Track) async -> Home {
    guard let url = track.url else { return .none(reason: "the player names no file") }
    guard let path = FileURL.path(url) else {
      return .none(reason: "the track is not a local file")
    }
    guard let root = await root(of: path, among: places.music) else {
      return .none(reason: "the track is outside the music folders")
    }
    return .found(
      Place(root: root, folder: path.removingLastComponent()),
      stem: path.lastComponent?.stem ?? "")
  }

  /// The folder that a file is in. Players name the real one, even if the user names a link to it.
  func root(of path: FilePath, among roots: [FilePath]) async -> FilePath? {
    func holds(_ root: FilePath) -> Bool { path.starts(with: root) && path != root }
    if let root = roots.first(where: holds) { return root }
    for root in roots {
      if let real = await search(root, { root.resolved }), holds(real) { return real }
    }
    return nil
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

  /// A video or animation whose name states no key. It is registered for each key: the service shows it if its shape fits.
  private func unkeyed(
    _ entries: [Folder.Entry], in place: Place, stem: String
  ) -> [ArtworkKey: Video]? {
    let own = FoldedName(stem)?.text
    // The track's own pictures come first.
    let found = entries.filter { $0.kind == .file || $0.kind == .link }
      .map { (path: place.folder.appending($0.name), name: FoldedName($0.name.stem)?.text ?? "") }
      .filter { FolderNames.isAnimatedCover($0.name, ofTrack: own) }
      .sorted { one, other in
        let ranks = [one, other].map { own.map($0.name.contains) ?? false ? 0 : 1 }
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
    let files = release.videos.compactMap { video in
      video.key.map { ($0, candidates[video.candidate].path) }
    }
    if files.isEmpty { return nil }
    return videos(
      Dictionary(files) { first, _ in first }, release: release.artworkID, root: place.root)
  }

  /// The release in the album's folder of a library.
  private func shelved(_ track: Track, in root: FilePath) -> [ArtworkKey: Video]? {
    guard let album = track.album.flatMap(FoldedName.init), let folder = try? Folder(opening: root)
    else { return nil }
    let artists = Self.artists(of: track).compactMap(FoldedName.init)
    let names = Self.names(of: track)
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
    if found.count < 2 { return found.first?.videos }
    // Several of one name: the first that may have this track.
    let fitting = found.first { each in
      var below = each.folder
      _ = below.removePrefix(root)
      let entries = (try? folder.entries(of: below)) ?? []
      return AlbumEvidence(entries, in: each.folder, below: root).fits(track)
    }
    return (fitting ?? found.first)?.videos
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
  func digits(of path: FilePath, below root: FilePath) -> String? {
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
    unsafe withPlatformString { name in
      guard let real = unsafe realpath(name, nil) else { return nil }
      defer { unsafe free(real) }
      return unsafe FilePath(platformString: real)
    }
  }
}

extension ArtworkLookup {
  /// A still picture for tracks without one beside their artwork.
  package struct Cover: Sendable, Equatable {
    /// The absolute path.
    package var path: FilePath
    /// `cover`, and the first 12 digits of the content's digest.
    package var artworkID: ArtworkID
  }

  /// The static cover of a track, if there is none beside its videos: the one beside the track, or else the picture
  /// that the player names or sends. Searches without blocking the caller's thread.
  ///
  /// - Returns: also why the player's picture is not taken, as a part of a sentence; `nil` if it is, or is not needed.
  package func cover(
    of track: Track, with answer: Answer
  ) async -> (cover: Cover?, refusal: String?) {
    if case .found(let videos, _) = answer, let video = videos.values.first?.path {
      let all = places.music + places.libraries + [places.configuration.folder]
      let hasCover = await search(all.first { video.starts(with: $0) } ?? "/") {
        videos.values.contains { FolderNames.cover(beside: $0.path) != nil }
      }
      if hasCover != false { return (nil, nil) }
    }
    if case .found(let place, _) = await home(of: track),
      let cover = await search(
        place.root,
        { [self] in
          FolderNames(of: place.folder).cover()
            .flatMap { cover(place.folder.appending($0), below: place.root) }
        })
    {
      return (cover, nil)
    }
    guard let url = track.pictureURL, !url.isEmpty else { return (nil, nil) }
    return Self.isDataURL(url) ? await sentCover(url) : await namedCover(url)
  }

  static func isDataURL(_ url: String) -> Bool { url.prefix(5).lowercased() == "data:" }

  private func namedCover(_ picture: String) async -> (cover: Cover?, refusal: String?) {
    // Some players name the path itself.
    let isPath = picture.hasPrefix("/") && !picture.utf8.contains(0)
    let named = isPath ? FilePath(picture).lexicallyNormalized() : FileURL.path(picture)
    guard let path = named else { return (nil, "it is no local file") }
    guard let root = await root(of: path, among: places.music + places.pictures) else {
      return (nil, "it is outside the music folders, the cache and the temporary folder")
    }
    let found = await search(root) { [self] in
      isPicture(path, below: root) ? cover(path, below: root) : nil
    }
    let refusal =
      "it is no \(FileFormat.stillTitles) file of up to 32 MiB that can be read, or a thumbnail"
    return (found, found == nil ? refusal : nil)
  }

  /// Bytes of a picture that a player names or sends.
  private static let largestPicture = 32 << 20
  /// Bytes of the URL of such a picture, in base64.
  static let longestDataURL = largestPicture / 3 * 4 + 256
  /// Thumbnails that a desktop makes of any of the user's files.
  private static let thumbnails = "thumbnails"
  /// Pictures of players that are kept at a time.
  private static let mostSent = 64

  /// Whether a file that a player names is a still: players have other files in these folders, too, and
  /// even the digests of those are private. Reads its first bytes.
  private func isPicture(_ path: FilePath, below root: FilePath) -> Bool {
    var below = path
    guard below.removePrefix(root), below.components.first?.string != Self.thumbnails,
      let start = Candidate(path: path, folder: root, previewStem: path)
        .start(FileFormat.signatureLength, ofAtMost: Self.largestPicture)
    else { return false }
    return FileFormat.isStill(start)
  }

  private func cover(_ path: FilePath, below root: FilePath) -> Cover? {
    digits(of: path, below: root).flatMap(Self.artworkID).map { Cover(path: path, artworkID: $0) }
  }

  private static func artworkID(_ digits: String) -> ArtworkID? { ArtworkID("cover-\(digits)") }

  /// The picture in a `data:` URL (RFC 2397), as mpv-mpris sends those inside music files, kept as a file from which the
  /// service can take it.
  private func sentCover(_ url: String) async -> (cover: Cover?, refusal: String?) {
    guard let folder = places.sent else { return (nil, "it is sent inside its URL") }
    let found = await search(folder) { [self] () -> (cover: Cover?, refusal: String?)? in
      guard let bytes = Self.bytes(ofDataURL: url), FileFormat.isStill(bytes)
      else {
        return (
          nil, "its data: URL holds no \(FileFormat.stillTitles) file of up to 32 MiB in base64"
        )
      }
      let digits = ((try? SHA256.digest(of: bytes)) ?? []).prefix(6).hexadecimal
      let path = folder.appending("sent-\(digits)")
      guard let artworkID = Self.artworkID(digits),
        path.exists || (try? AtomicFile.write(bytes, to: path)) != nil
      else { return (nil, "it cannot be written to \(folder)") }
      keep(path)
      return (Cover(path: path, artworkID: artworkID), nil)
    }
    return found ?? (nil, "\(folder) does not answer")
  }

  private static func bytes(ofDataURL url: String) -> [UInt8]? {
    guard url.utf8.count <= longestDataURL, let comma = url.firstIndex(of: ","),
      url[..<comma].lowercased().hasSuffix(";base64")
    else { return nil }
    // Some players percent-encode the characters that a URL must not have, or break lines.
    let text = FileURL.decoded(url[url.index(after: comma)...]).filter {
      !" \r\n".utf8.contains($0)
    }
    return Data(base64Encoded: Data(text)).flatMap { $0.count <= largestPicture ? Array($0) : nil }
  }

  private func keep(_ path: FilePath) {
    let old = sent.withLock { sent in
      sent.removeAll { $0 == path }
      sent.append(path)
      defer { if sent.count > Self.mostSent { sent.removeFirst() } }
      return sent.count > Self.mostSent ? sent.first : nil
    }
    if let old { DurableFiles.remove(old) }
  }
}
