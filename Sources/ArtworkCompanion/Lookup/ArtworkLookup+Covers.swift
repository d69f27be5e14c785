package import ArtworkModel
import ArtworkPipeline
import FoundationEssentials
import Synchronization
package import SystemPackage

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
