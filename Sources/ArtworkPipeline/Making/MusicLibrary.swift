import FoundationEssentials

/// The albums of a music folder by what the tags of their sound files say.
package struct MusicLibrary: Sendable {
  /// A folder with sound files of one album.
  struct Album: Sendable {
    var folder: FilePath
    var name: FoldedName
    /// The artists of the album, or else of the track.
    var artist: FoldedName?
    /// Artist and album, by each artist that is named.
    var wholeNames: Set<FoldedName>
  }

  private var albums: [Album] = []
  /// Folders with sound files of which none names an album.
  package private(set) var untagged: [FilePath] = []

  /// Sound files of a folder that are opened until one names its album.
  private static let mostOpened = 3
  /// Folders below each other.
  private static let deepest = 32

  /// Reads all folders below a music folder. Hidden folders are skipped, and links are not followed.
  ///
  /// - Throws: `unreadable` for a folder that cannot be read.
  package init(
    _ root: FilePath, _ runner: any JobRunner, progress: JobProgress
  ) throws(InspectionError) {
    let folder: Folder
    do throws(Errno) {
      folder = try Folder(opening: root)
    } catch {
      throw InspectionError(.unreadable, "\(root.string) cannot be opened: \(error)")
    }
    var pending = [FilePath("")]
    while let below = pending.popLast() {
      let entries: [Folder.Entry]
      do throws(OpenError) {
        entries = try folder.entries(of: below)
      } catch {
        throw InspectionError(
          .unreadable, "\(root.pushing(below).string) cannot be read: \(error)")
      }
      if below.components.count < Self.deepest {
        pending += entries.filter { $0.kind == .folder && !$0.name.string.hasPrefix(".") }
          .map { below.appending($0.name) }
      }
      let tracks = FolderNames(entries.filter { $0.kind == .file }.map(\.name)).tracks
      if !tracks.isEmpty {
        read(tracks.map { below.appending($0) }, root.pushing(below), below: root, runner)
      }
      progress(albums.count + untagged.count, albums.count + untagged.count + pending.count)
    }
    albums.sort { $0.folder.string < $1.folder.string }
  }

  private mutating func read(
    _ tracks: [FilePath], _ folder: FilePath, below root: FilePath, _ runner: any JobRunner
  ) {
    for track in tracks.prefix(Self.mostOpened) {
      let path = root.pushing(track)
      // A damaged file is no album; the next one may tell.
      guard
        let tags = try? runner.run(
          SoundTagsJob(), on: Candidate(path: path, folder: root, previewStem: path)),
        let album = tags.album, let name = FoldedName(album)
      else { continue }
      let artists = [tags.albumArtist, tags.artist].compactMap(\.self)
      albums.append(
        Album(
          folder: folder, name: name, artist: artists.lazy.compactMap(FoldedName.init).first,
          wholeNames: Set(artists.compactMap { FoldedName("\($0) \(album)") })))
      return
    }
    untagged.append(folder)
  }

  /// The folders of a release's album. The release's folder is called `ARTIST/ALBUM`, `ARTIST - ALBUM`, or `ALBUM` if no
  /// other artist has one of that name.
  ///
  /// - Throws: `no-match`, also if several artists have an album of its name.
  package func folders(of release: FilePath) throws(InspectionError) -> [FilePath] {
    let name = release.lastComponent?.string ?? release.string
    let parent = release.removingLastComponent().lastComponent?.string ?? ""
    let wholeNames = [FoldedName("\(parent) \(name)"), FoldedName(name)].compactMap(\.self)
    let exact = albums.filter { !$0.wholeNames.isDisjoint(with: wholeNames) }
    let found = exact.isEmpty ? albums.filter { $0.name == FoldedName(name) } : exact
    guard !found.isEmpty else {
      throw InspectionError(
        .noMatch, "no album in the music folder has the tags of \(name)",
        advice: "call the folder ARTIST/ALBUM as the tags of its music do")
    }
    guard !exact.isEmpty || Set(found.map(\.artist)).count == 1 else {
      throw InspectionError(
        .noMatch, "\(Set(found.map(\.artist)).count) artists have an album called \(name)",
        advice: "call the folder ARTIST/ALBUM as the tags of its music do")
    }
    return found.map(\.folder)
  }
}
